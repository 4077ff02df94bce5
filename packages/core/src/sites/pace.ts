import { z } from 'zod';
import { block } from './block.js';

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

/** Pages a second for all nodes together where a site says nothing: what a small shop bears without noticing. */
const DEFAULT_RATE_PER_SECOND = 2;
const DEFAULT_CONCURRENCY = 16;

/** `20/s`, `30/m`, `600/h` as pages a second; null for `none`. */
export const rateSchema = z.string().transform((value, context): number | null => {
  if (value === 'none') return null;
  const match = /^(\d+(?:\.\d+)?)\s*\/\s*([smh])$/.exec(value);
  const perSecond = match ? Number(match[1]) / SECONDS[match[2] as keyof typeof SECONDS] : 0;
  if (perSecond > 0 && perSecond <= 10_000) return perSecond;
  context.addIssue({
    code: 'custom',
    message: `${JSON.stringify(value)} is not a rate`,
    params: { expected: 'such as 20/s, 30/m or 600/h (at most 10000/s), or none for no limit' },
  });
  return z.NEVER;
});

/** How hard a site is hit, by all nodes together. */
export const paceSchema = block({
  rate: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), rateSchema).optional(),
  concurrency: z.int().min(1).max(1000).default(DEFAULT_CONCURRENCY),
  burst: z.int().min(1).max(1000).default(1),
}).transform((pace) => ({
  /** Pages a second for all nodes together; null: no limit. */
  ratePerSecond: pace.rate === undefined ? DEFAULT_RATE_PER_SECOND : pace.rate,
  /** Fetches at once. */
  concurrency: pace.concurrency,
  /** Pages that may be taken at once after a pause. */
  burst: pace.burst,
}));
