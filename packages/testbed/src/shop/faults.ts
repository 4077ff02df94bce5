import { z } from 'zod';

import { hashNumbers } from './random.js';

/** What the shop can do wrong. */
export const FAULT_KINDS = [
  'server-error',
  'reset-before-headers',
  'reset-mid-body',
  'slow',
  'drip',
  'not-found',
  'too-many-requests',
  'wrong-charset',
  'empty-list',
  'layout-change',
] as const;

const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  /** Which pages it may hit. */
  on: z.enum(['list', 'category', 'detail', 'any']).default('list'),
  /** Page numbers (for detail pages: article numbers) that it hits; left out: any, by `rate`. */
  pages: z.array(z.int().positive()).optional(),
  /** The share of pages (of those in `pages`, if given) that it hits: the same ones at every attempt. */
  rate: z.number().min(0).max(1).default(1),
  /**
   * How long it lasts. A number k: a page that is hit fails at its first k requests and then passes. `always`: for good.
   * `each`: every request is drawn anew by `rate`.
   */
  attempts: z.union([z.int().positive(), z.literal(['always', 'each'])]).default(1),
  /** Of a server error. */
  status: z.int().min(500).max(599).default(500),
  /** Before a slow answer. */
  delayMs: z.number().nonnegative().default(2_000),
  /** Of a dripping body. */
  bytesPerSecond: z.number().positive().default(2_000),
  /** The form of Retry-After with 429, and with a server error of status 503. */
  retryAfter: z.enum(['seconds', 'date', 'none']).default('seconds'),
  retryAfterSeconds: z.number().nonnegative().default(1),
  /** What the Content-Type header says where it is wrong. */
  charset: z.string().default('iso-8859-1'),
});

export const faultsSchema = z.array(faultSchema);

/** A fault, fully told. */
export type Fault = z.output<typeof faultSchema>;
/** A fault as a caller writes it: only `kind` is needed. */
export type FaultInput = z.input<typeof faultSchema>;

/** What is asked for, as far as faults go by it. */
export interface FaultTarget {
  readonly kind: 'list' | 'category' | 'detail' | 'other';
  /** Page or article number. */
  readonly number: number;
  /** Which category; else 0. */
  readonly category: number;
  /** 1 for the first request of this URL. */
  readonly attempt: number;
}

/** The first fault that hits this request, or null. Depends on nothing but its arguments. */
export function chooseFault(faults: readonly Fault[], seed: number, target: FaultTarget): Fault | null {
  const index = faults.findIndex((fault, position) => hits(fault, position, seed, target));
  return faults[index] ?? null;
}

const KIND_NUMBERS = { list: 1, category: 2, detail: 3, other: 4 } as const;

function hits(fault: Fault, position: number, seed: number, target: FaultTarget): boolean {
  if (target.kind === 'other' || (fault.on !== 'any' && fault.on !== target.kind)) return false;
  if (fault.pages !== undefined && !fault.pages.includes(target.number)) return false;
  if (typeof fault.attempts === 'number' && target.attempt > fault.attempts) return false;
  const draw = fault.attempts === 'each' ? target.attempt : 0;
  const hash = hashNumbers(seed, position, KIND_NUMBERS[target.kind], target.category, target.number, draw);
  return hash / 0x1_0000_0000 < fault.rate;
}

/** Faults that any crawler should get over: every page that is hit passes when asked again. Used by the demo. */
export const PASSING_FAULTS: readonly FaultInput[] = [
  { kind: 'server-error', rate: 0.04 },
  { kind: 'server-error', rate: 0.02, status: 502, attempts: 2 },
  { kind: 'reset-before-headers', rate: 0.02 },
  { kind: 'reset-mid-body', rate: 0.02 },
  { kind: 'slow', rate: 0.03, delayMs: 800 },
];
