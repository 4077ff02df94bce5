import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareGoods, type GoodsRow, type GoodsSource } from '../../../src/db/goods.js';
import { goodsKeyOf, urlHashOf } from '../../../src/db/row-key.js';
import { insertSettingAside } from '../../../src/db/set-aside.js';
import { countsOf } from '../../../src/db/upsert.js';

function dataError(): Error {
  return Object.assign(new Error('Data too long'), { errno: 1406, sqlState: '22001' });
}

describe('insertSettingAside', () => {
  const rowsOf = fc.array(fc.record({ bad: fc.boolean(), bytes: fc.integer({ min: 1, max: 400_000 }) }), {
    maxLength: 1200,
  });

  it('saves every good row once and returns every bad one, in statements of bounded size', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, async (rows) => {
        const saved: unknown[] = [];
        const { counts, refused } = await insertSettingAside(rows, async (part) => {
          expect(part.length).toBeLessThanOrEqual(500);
          expect(part.reduce((sum, row) => sum + row.bytes, 0)).toBeLessThanOrEqual(1024 * 1024);
          if (part.some((row) => row.bad)) throw dataError();
          saved.push(...part);
          return await Promise.resolve({ inserted: part.length, updated: 0, unchanged: 0 });
        });
        expect(saved).toEqual(rows.filter((row) => !row.bad));
        expect(counts.inserted).toBe(saved.length);
        expect(refused.map(({ row }) => row)).toEqual(rows.filter((row) => row.bad));
      }),
      { numRuns: 40 },
    );
  });

  it('finds one bad row of 500 in few statements', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({ bytes: 1, bad: n === 321 }));
    let statements = 0;
    await insertSettingAside(rows, async (part) => {
      statements += 1;
      if (part.some((row) => row.bad)) throw dataError();
      return await Promise.resolve({ inserted: part.length, updated: 0, unchanged: 0 });
    });
    expect(statements).toBeLessThanOrEqual(1 + 2 * 9);
  });

  it('throws every other error at once', async () => {
    const deadlock = Object.assign(new Error('Deadlock'), { errno: 1213, sqlState: '40001' });
    await expect(insertSettingAside([{ bytes: 1 }, { bytes: 1 }], () => Promise.reject(deadlock))).rejects.toBe(
      deadlock,
    );
  });
});

describe('countsOf', () => {
  it('agrees with how the server counts', () => {
    const counts = fc.record({ inserted: fc.nat(50), updated: fc.nat(50), unchanged: fc.nat(50) });
    fc.assert(
      fc.property(counts, (expected) => {
        const rows = expected.inserted + expected.updated + expected.unchanged;
        fc.pre(rows > 0);
        const info = rows === 1 ? '' : `Records: ${rows}  Duplicates: ${expected.updated}  Warnings: 7`;
        expect(countsOf(rows, expected.inserted + 2 * expected.updated, info)).toEqual(expected);
      }),
    );
  });
});

describe('prepareGoods', () => {
  function source(crawlTime: number, goods: GoodsRow[], site = 'shop'): GoodsSource {
    return { site, url: 'https://shop.example/list', node: 'n', crawlTime: new Date(crawlTime), goods };
  }
  const row = (goods_url: string | null, price: string | null = null): GoodsRow => ({
    goods_url,
    goods_name: null,
    price,
    currency: null,
    attributes: {},
  });

  it('orders rows by key, the same way whatever the order of pages', () => {
    const names = Array.from({ length: 30 }, (_, n) => row(`https://shop.example/${n}`));
    const keys = (rows: GoodsRow[]) => prepareGoods([source(0, rows)]).rows.map(({ key }) => key.toString('hex'));
    expect(keys(names)).toEqual(keys(names.toReversed()));
    expect(keys(names)).toEqual([...keys(names)].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('keeps the latest of rows with one key', () => {
    const { rows, merged } = prepareGoods([source(2, [row('u', 'new')]), source(1, [row('u', 'old')])]);
    expect({ prices: rows.map((keyed) => keyed.row.price), merged }).toEqual({ prices: ['new'], merged: 1 });
  });

  it('makes keys of the link, or of page and place', () => {
    expect(goodsKeyOf('https://a.example/', 'https://b.example/', 3)).toEqual(urlHashOf('https://a.example/'));
    expect(goodsKeyOf(null, 'https://b.example/', 3)).toEqual(urlHashOf('https://b.example/\n3'));
    expect(urlHashOf('').toString('hex')).toMatch(/^e3b0c44298fc1c149afbf4c8996fb924/);
  });

  it('refuses a row whose attributes have no JSON form, and only that', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const { rows, refused } = prepareGoods([source(0, [row('a'), { ...row('b'), attributes: cycle }])]);
    expect(rows).toHaveLength(1);
    expect(refused[0]?.reason).toMatch(/circular/i);
  });
});
