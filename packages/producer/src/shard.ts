import { z } from 'zod';
import type { ValueKind } from '@dist-crawl/core/config';

/**
 * One of `count` equal parts of a sequence of numbers: those that leave the same remainder as `index` (from 1). It rests on
 * the numbers alone, so producers agree on it also where their ranges differ.
 */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const WHOLE: Shard = { index: 1, count: 1 };

const MOST_SHARDS = 10_000;

/** The value of `--shard`. */
export function shard(): ValueKind<Shard> {
  const expected = `i/n with i from 1 to n, such as 1/2 for the first of two producers (n at most ${MOST_SHARDS})`;
  const schema = z.string().transform((written, context) => {
    const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/u.exec(written) ?? [];
    const read = { index: Number(index), count: Number(count) };
    if (read.index >= 1 && read.index <= read.count && read.count <= MOST_SHARDS) return read;
    context.addIssue({ code: 'custom', message: `'${written}' is no shard` });
    return z.NEVER;
  });
  return { expected, schema };
}

export function isIn({ index, count }: Shard, number: number): boolean {
  return number % count === index % count;
}

/** The first number of the shard that is not below `from`. */
export function firstOf({ index, count }: Shard, from: number): number {
  const over = (from - index) % count;
  return over === 0 ? from : from + (over > 0 ? count - over : -over);
}
