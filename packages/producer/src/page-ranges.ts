import { z } from 'zod';
import type { ValueKind } from '@dist-crawl/core/config';
import { firstOf, type Shard } from './shard.js';

/** From `first` to `last`, both included. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

const LARGEST_PAGE = 1_000_000_000;
const expected = `page numbers from 1 to ${LARGEST_PAGE} such as 1-200 or 1-50,80,100-120`;

/** The value of `--pages`: ranges in ascending order that do not touch, so that each page is in one of them. */
export function pageRanges(): ValueKind<readonly PageRange[]> {
  const schema = z.string().transform((written, context) => {
    const read = written.split(',').map((item) => readItem(item.trim()));
    const wrong = read.filter((item) => typeof item === 'string');
    if (wrong.length > 0) {
      context.addIssue({ code: 'custom', message: wrong.join('; ') });
      return z.NEVER;
    }
    return merge(read.filter((item) => typeof item !== 'string'));
  });
  return { expected, schema };
}

/** How many pages of the ranges fall to the shard. */
export function countPages(ranges: readonly PageRange[], shard: Shard): number {
  const each = ranges.map((range) =>
    Math.max(0, Math.floor((range.last - firstOf(shard, range.first)) / shard.count) + 1),
  );
  return each.reduce((sum, count) => sum + count, 0);
}

/** The pages of the ranges that fall to the shard, one at a time. */
export function* pagesOf(ranges: readonly PageRange[], shard: Shard): Generator<number> {
  for (const range of ranges) {
    for (let page = firstOf(shard, range.first); page <= range.last; page += shard.count) yield page;
  }
}

/** As a user would write them: `1-50,80`. */
export function showRanges(ranges: readonly PageRange[]): string {
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** A range, or what is wrong with it. */
function readItem(item: string): PageRange | string {
  if (item === '') return 'an empty item';
  const [, from, to = from] = /^(\d+)(?:\s*-\s*(\d+))?$/u.exec(item) ?? [];
  if (from === undefined) return `'${item.length > 40 ? `${item.slice(0, 40)}…` : item}' is no page or range`;
  const range = { first: Number(from), last: Number(to) };
  if (range.first < 1) return `'${item}': pages count from 1`;
  if (Math.max(range.first, range.last) > LARGEST_PAGE) return `'${item}' is beyond page ${LARGEST_PAGE}`;
  if (range.first > range.last) return `'${item}' runs backwards`;
  return range;
}

function merge(ranges: readonly PageRange[]): PageRange[] {
  const merged: PageRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || range.first > before.last + 1) merged.push(range);
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
  }
  return merged;
}
