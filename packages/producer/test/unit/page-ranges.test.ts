import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countPages, pageRanges, pagesOf, showRanges } from '../../src/page-ranges.js';
import { isIn, WHOLE } from '../../src/shard.js';

function read(text: string) {
  const result = pageRanges().schema.safeParse(text);
  return result.success ? result.data : (result.error.issues[0]?.message ?? '');
}

function ranges(text: string) {
  const result = read(text);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

describe('--pages', () => {
  test.each([
    ['1-200', '1-200'],
    ['7', '7'],
    ['1-50,80,100-120', '1-50,80,100-120'],
    [' 1 - 3 , 9 ', '1-3,9'],
    ['9,1-3', '1-3,9'],
    ['1-10,5-20', '1-20'],
    ['1-2,3-4', '1-4'],
    ['5-5', '5'],
  ])('%j is pages %s', (text, shown) => {
    expect(showRanges(ranges(text))).toBe(shown);
  });

  test.each([
    ['5-1', "'5-1' runs backwards"],
    ['0', "'0': pages count from 1"],
    ['abc', "'abc' is no page or range"],
    ['1-', "'1-' is no page or range"],
    ['-3', "'-3' is no page or range"],
    ['1.5', "'1.5' is no page or range"],
    ['1,,2', 'an empty item'],
    ['9-9999999999', "'9-9999999999' is beyond page 1000000000"],
    ['5-1,0,x', "'5-1' runs backwards; '0': pages count from 1; 'x' is no page or range"],
  ])('%j is refused, with every reason', (text, reason) => {
    expect(read(text)).toBe(reason);
  });

  test('ten million pages cost nothing to count', () => {
    expect(countPages(ranges('1-10000000'), WHOLE)).toBe(10_000_000);
    expect(countPages(ranges('1-10000000'), { index: 3, count: 7 })).toBe(1_428_572);
  });
});

const page = fc.integer({ min: 1, max: 300 });
const written = fc
  .array(fc.tuple(page, page), { minLength: 1, maxLength: 6 })
  .map((pairs) => pairs.map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`).join(','));

describe('--shard', () => {
  test('the shards of a range have each page once: no overlap, no gap', () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 12 }), (text, count) => {
        const whole = [...pagesOf(ranges(text), WHOLE)];
        const parts = Array.from({ length: count }, (_, index) => ({ index: index + 1, count })).map((shard) => {
          const pages = [...pagesOf(ranges(text), shard)];
          expect(pages).toHaveLength(countPages(ranges(text), shard));
          expect(pages.every((number) => isIn(shard, number))).toBe(true);
          return pages;
        });
        expect(parts.flat().toSorted((a, b) => a - b)).toEqual(whole);
      }),
    );
  });

  test('a page falls to the same shard in whichever range it stands', () => {
    const shard = { index: 2, count: 3 };
    expect([...pagesOf(ranges('1-9'), shard)]).toEqual([2, 5, 8]);
    expect([...pagesOf(ranges('4-12'), shard)]).toEqual([5, 8, 11]);
  });
});
