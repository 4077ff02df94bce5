import { describe, expect, it } from 'vitest';
import { createPageNumbers, entryUrls, pageUrl, siteSchema } from '../../../src/sites/index.js';

const site = (lines: object) => siteSchema.parse({ name: 'shop', base: 'https://shop.example/cn/', ...lines });

describe('the number of a list page', () => {
  it.each([
    '/list?page={page}',
    'list?page={page}&sort=new',
    '/list/{page}.html',
    '/p{page}',
    'https://www.shop.example/{page}/',
  ])('is told from its URL where pages is %s', (pages) => {
    const shop = site({ pages });
    const numberOf = createPageNumbers(shop);
    for (const page of [0, 1, 9, 10, 4711, 999_999_999]) expect(numberOf(String(pageUrl(shop, page)))).toBe(page);
    expect(numberOf('https://shop.example/')).toBeNull();
  });

  it('is none for what is no list page', () => {
    const numberOf = createPageNumbers(site({ pages: '/list?page={page}' }));
    const at = (path: string): number | null => numberOf(`https://shop.example${path}`);
    expect([at('/list?page=2&size=3'), at('/list?page='), at('/list?page=-1'), at('/list?page=01')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect([at('/list?page=1e3'), at('/list?page=12345678901'), at('/list?page=２')]).toEqual([null, null, null]);
    expect(createPageNumbers(site({}))('https://shop.example/list?page=1')).toBeNull();
  });
});

describe('entry pages', () => {
  it('are resolved against the base, in canonical form, each once', () => {
    const entries = ['/', 'tea', '/cn/tea#top', 'https://shop.example/?utm_source=x'];
    expect(entryUrls(site({ entries }))).toEqual(['https://shop.example/', 'https://shop.example/cn/tea']);
  });
});
