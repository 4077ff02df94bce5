import { describe, expect, it } from 'vitest';
import type { CanonicalUrl } from '../../../src/url/index.js';
import { useBench } from './frontier-setup.js';

const bench = useBench();
const page = (number: number) => ({ page: number, url: `http://shop.test/list?page=${number}` as CanonicalUrl });

describe('the end of a range', () => {
  it('shows in pages that have the goods of an earlier one, also where later ones come first', async () => {
    const site = bench.open();
    const { ranges } = site;
    const note = (number: number, goods: string) => ranges.note(number, { goods }, undefined);
    expect(await note(1, 'a')).toEqual({ kind: 'new', supersedes: null });
    expect(await note(4, 'c')).toEqual({ kind: 'new', supersedes: null });
    expect(await note(3, 'c')).toEqual({ kind: 'new', supersedes: 4 });
    expect(await note(2, 'b')).toEqual({ kind: 'new', supersedes: null });
    expect(await note(5, 'c')).toEqual({ kind: 'repeated', of: 3 });
    expect(await note(5, 'c')).toEqual({ kind: 'repeated', of: 3 });
    expect(await note(3, 'c')).toEqual({ kind: 'new', supersedes: null });
    expect(
      await ranges.superseded([
        { page: 4, goods: 'c' },
        { page: 3, goods: 'c' },
      ]),
    ).toEqual([true, false]);
    expect((await site.census()).counters).toEqual({ repeated: 2 });
  });

  it('moves when the site grows: a page that has other goods by now is no model for later ones', async () => {
    const { ranges } = bench.open();
    await ranges.note(1, { goods: 'a' }, undefined);
    await ranges.note(2, { goods: 'b' }, undefined);
    expect(await ranges.note(3, { goods: 'b' }, undefined)).toMatchObject({ kind: 'repeated' });
    await ranges.note(2, { goods: 'new' }, undefined);
    expect(await ranges.note(3, { goods: 'b' }, undefined)).toEqual({ kind: 'new', supersedes: null });
    expect(await ranges.look([page(3)], 0)).toEqual(['passed']);
  });

  it('is expected only after the last page with goods of the round, and an empty page is looked at twice', async () => {
    const site = bench.open();
    const { ranges } = site;
    const round = site.now;
    expect(await ranges.note(7, 'empty', round)).toEqual({ kind: 'early' });
    expect(await ranges.note(7, 'empty', round)).toEqual({ kind: 'early' });
    site.now += 1_000;
    expect(await ranges.note(7, 'empty', round)).toEqual({ kind: 'unexpected' });
    await ranges.note(9, { goods: 'i' }, round);
    const twice = async (number: number, since: number) => {
      expect(await ranges.note(number, 'empty', since)).toEqual({ kind: 'early' });
      site.now += 1_000;
      return ranges.note(number, 'empty', since);
    };
    expect(await twice(8, round)).toEqual({ kind: 'unexpected' });
    expect(await twice(10, round)).toEqual({ kind: 'end' });
    expect(await ranges.note(8, 'missing', round)).toEqual({ kind: 'unexpected' });
    expect(await ranges.note(11, 'missing', round)).toEqual({ kind: 'end' });
    // Empty once, by mistake.
    await ranges.note(12, 'empty', round);
    expect(await ranges.note(12, { goods: 'l' }, round)).toMatchObject({ kind: 'new' });
    expect(await ranges.look([10, 11, 12].map(page), 0)).toEqual(['end', 'end', 'passed']);
    // In a later round the shop has shrunk.
    site.now += 1_000;
    const later = site.now;
    await ranges.note(1, { goods: 'a' }, later);
    expect(await twice(9, later)).toEqual({ kind: 'end' });
  });

  it('is seen by those who queue, each page as it stands', async () => {
    const site = bench.open();
    const { ranges, intake, leases } = site;
    await intake.enqueue(
      [1, 2, 3, 4].map((number) => page(number).url),
      { mayEnd: site.now },
    );
    await leases.register('w');
    const [first, second, third] = await site.take('w', 3);
    expect(first?.record).toEqual({ mayEnd: site.now });
    if (first === undefined || second === undefined || third === undefined) throw new Error('no tasks');
    await ranges.note(1, { goods: 'a' }, site.now);
    await leases.complete('w', [{ ...first, rows: 1 }]);
    await leases.fail('w', second, { kind: 'timeout', message: '', node: 'n' });
    await ranges.note(3, { goods: 'a' }, site.now);
    const all = [1, 2, 3, 4, 5].map(page);
    expect(await ranges.look(all, 0)).toEqual(['passed', 'passed', 'end', 'waits', 'passed']);
    expect(await ranges.look(all, site.now + 1)).toEqual(['passed', 'passed', 'waits', 'waits', 'passed']);
  });

  it('takes bounded room, and still finds pages that repeat the first', async () => {
    const { ranges, keys } = bench.open();
    await ranges.note(1, { goods: 'first' }, undefined);
    const entries = Array.from({ length: 10_500 }, (_, index) => [index + 2, `g${index}`] as const);
    await bench.client.zadd(keys.rangeGoods, ...entries.flat());
    await ranges.note(20_000, { goods: 'last' }, undefined);
    expect(await bench.client.zcard(keys.rangeGoods)).toBeLessThanOrEqual(10_001);
    expect(await ranges.note(20_001, { goods: 'first' }, undefined)).toEqual({ kind: 'repeated', of: 1 });
    expect(await ranges.note(20_002, { goods: 'last' }, undefined)).toEqual({ kind: 'repeated', of: 20_000 });
  });
});
