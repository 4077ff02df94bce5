import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { goodsOf, grouped } from '../../src/shop/catalogue.js';
import { renderPrice } from '../../src/shop/list-page.js';
import { escapeHtml, makeEncoder, scriptJson } from '../../src/shop/markup.js';
import { ShopMap } from '../../src/shop/shop-map.js';

const anyId = fc.integer({ min: 1, max: 10_000_000_000 });

describe('the catalogue', () => {
  test('gives the same goods for the same seed and number, others for another', () => {
    fc.assert(
      fc.property(fc.nat(), anyId, (seed, id) => {
        expect(goodsOf(seed, id)).toEqual(goodsOf(seed, id));
        expect(goodsOf(seed, id).price).toMatch(/^\d+\.\d\d$/);
      }),
    );
    expect(goodsOf(1, 5)).not.toEqual(goodsOf(2, 5));
  });

  test('writes every price so that it reads as the same amount', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const goods = goodsOf(3, id);
        const text = renderPrice(goods).replaceAll(/<[^>]*>|&\w+;|[^\d.]/g, '');
        expect(Number(text)).toBe(Number(goods.price));
      }),
    );
  });

  test('has all price styles, emoji and characters that HTML escapes', () => {
    const goods = Array.from({ length: 500 }, (_, index) => goodsOf(1, index + 1));
    expect(new Set(goods.map(({ priceStyle }) => priceStyle)).size).toBe(6);
    for (const needed of ['🎧', '&', '<', '"', '𠮷']) {
      expect(goods.some(({ name }) => name.includes(needed))).toBe(true);
    }
  });

  test('groups thousands of the whole part only', () => {
    expect(grouped('1299.00')).toBe('1,299.00');
    expect(grouped('1234567.89')).toBe('1,234,567.89');
    expect(grouped('999.90')).toBe('999.90');
  });

  test('puts each article on one list page and on one page of one category', () => {
    const map = new ShopMap(1, 10, 7);
    const listed = Array.from({ length: 10 }, (_, index) => map.listGoods(index + 1)).flat();
    const byCategory = Array.from({ length: 12 }, (_, category) =>
      Array.from({ length: map.categoryPages(category) }, (__, page) => map.categoryGoods(category, page + 1)),
    ).flat(2);
    expect(listed.map(({ id }) => id)).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
    expect(byCategory.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(listed.map(({ id }) => id));
    expect(map.listGoods(11)).toEqual([]);
  });
});

describe('markup', () => {
  test('escapes text, and JSON for a script element', () => {
    expect(escapeHtml('a < b & "c"')).toBe('a &lt; b &amp; &quot;c&quot;');
    expect(scriptJson({ a: '</script>茶🎧' })).not.toMatch(/[<>]|[^ -~]/);
    expect(JSON.parse(scriptJson({ a: '</script>茶🎧' }))).toEqual({ a: '</script>茶🎧' });
  });

  test('encodes GBK, with references for what GBK lacks', () => {
    const bytes = makeEncoder('gbk')('茶 ￥5 ¥5 🎧');
    expect(new TextDecoder('gbk').decode(bytes)).toBe('茶 ￥5 &#165;5 &#127911;');
  });
});
