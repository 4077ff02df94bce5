import { z } from 'zod';
import { redactUrl } from '../logging/index.js';

/** How a text from the environment, `.env` or a flag becomes a value, and what to tell who wrote it wrong. */
export interface ValueKind<T> {
  /** Completes "expected …". */
  readonly expected: string;
  /** Issue messages say what is wrong, with the value unless it is a secret. */
  readonly schema: z.ZodType<T, string>;
}

const quote = (input: string): string => `'${input.length > 80 ? `${input.slice(0, 80)}…` : input}'`;

/** Any text that is not empty. */
export function text(expected: string): ValueKind<string> {
  return { expected, schema: z.string() };
}

/** Text that a pattern describes whole. */
export function matching(pattern: RegExp, expected: string): ValueKind<string> {
  return { expected, schema: z.string().regex(pattern, { error: ({ input }) => quote(String(input)) }) };
}

export function wholeNumber(least: number, most: number): ValueKind<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    schema: z
      .string()
      .regex(/^[+-]?\d+$/u, { error: ({ input }) => `${quote(String(input))} is not a whole number` })
      .transform(Number)
      .refine((value) => value >= least && value <= most, {
        error: ({ input }) => `${String(input)} is out of range`,
      }),
  };
}

export function oneOf<const T extends string>(choices: readonly T[]): ValueKind<T> {
  const expected = `one of ${choices.join(', ')}`;
  return { expected, schema: z.enum(choices, { error: ({ input }) => `${quote(String(input))} is none of them` }) };
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;
/** Node's timers hold no more: a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Names separated by commas. */
export function names(): ValueKind<readonly string[]> {
  const expected = 'names separated by commas';
  const schema = z
    .string()
    .transform((given) => given.split(',').map((name) => name.trim()))
    .refine((list) => list.every((name) => name !== ''), { error: 'an empty name' });
  return { expected, schema };
}

/** A length of time with its unit (`20s`), given in milliseconds. A bare number is refused: it does not tell its unit. */
/** A length of time with its unit (`20s`), given in milliseconds. A bare number is refused: it does not tell its unit. */
export function duration(leastMs: number, mostMs: number = longestTimerMs): ValueKind<number> {
  const limits = mostMs === longestTimerMs ? `at least ${showMs(leastMs)}` : `${showMs(leastMs)} to ${showMs(mostMs)}`;
  return {
    expected: `a duration with its unit, such as 500ms, 20s, 5m or 2h (${limits})`,
    schema: z.string().transform((written, context) => {
      const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/u.exec(written) ?? [];
      if (amount === undefined || unit === undefined) {
        const what = /^\d+(?:\.\d+)?$/u.test(written) ? 'has no unit' : 'is not a duration';
        context.addIssue({ code: 'custom', message: `${quote(written)} ${what}` });
        return z.NEVER;
      }
      const ms = Math.round(Number(amount) * unitMs[unit as Unit]);
      if (ms < leastMs || ms > mostMs)
        context.addIssue({ code: 'custom', message: `${quote(written)} is out of range` });
      return ms;
    }),
  };
}

function showMs(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find(
    (candidate) => ms >= unitMs[candidate] && ms % unitMs[candidate] === 0,
  );
  return unit === undefined ? `${ms}ms` : `${ms / unitMs[unit]}${unit}`;
}

/**
 * A cron expression, seen from afar: five fields, or six with seconds. Whoever has a cron library checks the fields
 * themselves (`isCron` of loadConfig).
 */
export function cron(): ValueKind<string> {
  return {
    expected: "a cron expression of five fields (six with seconds first), such as '*/30 * * * *'",
    schema: z.string().regex(/^[\d*/,\-A-Za-z#]+(?:\s+[\d*/,\-A-Za-z#]+){4,5}$/u, {
      error: ({ input }) => `${quote(String(input))} is not a cron expression`,
    }),
  };
}

/** The URL of a server, with the password kept out of messages. */
export function serverUrl(example: string, schemes: readonly string[], needsPath: boolean): ValueKind<string> {
  return {
    expected: example,
    schema: z.string().superRefine((written, context) => {
      const what = wrongServerUrl(written, schemes, needsPath);
      if (what !== undefined) context.addIssue({ code: 'custom', message: what });
    }),
  };
}

function wrongServerUrl(written: string, schemes: readonly string[], needsPath: boolean): string | undefined {
  // What does not parse may be a password alone: it is never shown.
  if (!URL.canParse(written)) return 'not a URL';
  const url = new URL(written);
  const scheme = url.protocol.slice(0, -1);
  if (!written.includes('://')) return `no :// after ${scheme}`;
  if (!schemes.includes(scheme)) return `${scheme}:// is not ${schemes.map((name) => `${name}://`).join(' or ')}`;
  if (url.hostname === '') return `no host in ${redactUrl(written)}`;
  if (needsPath && !/^\/[^/]+$/u.test(url.pathname)) return `no database name in ${redactUrl(written)}`;
  return undefined;
}
