import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../src/extract/extract-page.js';
import { compiled, extract, PAGE_URL } from './site-fixture.js';

const NAV = `<title> Tea
  pots </title><svg><title>icon</title></svg>
<a href="/p/1#a">1</a><a href="/p/1?utm_medium=x">1 again</a><map><area href="p/2"></map><a href="javascript:void 0">no</a>
<a href="https://other.example/">out</a><a name=x>none</a><div class=pager><a href="?page=2">next</a></div><noscript><a href="/plain">plain</a></noscript>`;

describe('a page', () => {
  it('has a title and links: http(s) only, canonical, each once, in order', () => {
    const page = extract('', NAV);
    expect(page.title).toBe('Tea pots');
    expect(page.links).toEqual([
      'https://shop.example/p/1',
      'https://shop.example/list/p/2',
      'https://other.example/',
      'https://shop.example/list/tea?page=2',
      'https://shop.example/plain',
    ]);
    expect(page.follow).toEqual([]);
  });

  it('is one row at its own address, or its canonical one, where no field gives another', () => {
    const rows = (fields: string, html: string) =>
      extract(`goods: { fields: { goods_name: h1${fields} } }`, html).goods.map(({ goods_url }) => goods_url);
    expect(rows('', '<h1>Tea</h1>')).toEqual([PAGE_URL]);
    expect(rows('', '<link rel=canonical href=/tea><h1>Tea</h1>')).toEqual(['https://shop.example/tea']);
    expect(rows(', goods_url: a@href', '<h1>Tea</h1><a href=/x>x</a>')).toEqual(['https://shop.example/x']);
    expect(rows(', goods_url: a@href', '<h1>Tea</h1>')).toEqual([null]);
  });

  it('has its links resolved against its first base, which is against the final URL', () => {
    const links = (head: string): readonly string[] =>
      extract('', `${head}<a href=x>x</a>`, { finalUrl: 'https://shop.example/moved/here' }).links;
    expect(links('')).toEqual(['https://shop.example/moved/x']);
    expect(links('<base target=_top><base href="../up/"><base href="/other/">')).toEqual(['https://shop.example/up/x']);
    expect(links('<base href="https://cdn.example/a/b">')).toEqual(['https://cdn.example/a/x']);
    expect(links('<base href="javascript:1">')).toEqual(['https://shop.example/moved/x']);
    expect(links('<base href="ftp://a.example/">')).toEqual([]);
    expect(links('<svg><base href="/drawn/"></base></svg>')).toEqual(['https://shop.example/moved/x']);
  });

  it.each([
    ['gbk', '/茶?q=茶', '/%E8%8C%B6?q=%B2%E8'],
    ['gbk', '?q=a+b c&q=茶#茶', '/list/tea?q=a+b%20c&q=%B2%E8'],
    ['gbk', '?q=🔵', '/list/tea?q=%26%23128309%3B'],
    ['gb18030', '?q=🔵', '/list/tea?q=%949%E83'],
    ['shift_jis', '?q=茶', '/list/tea?q=%92%83'],
    ['windows-1252', '?q=é茶', '/list/tea?q=%E9%26%2333590%3B'],
    ['utf-16le', '?q=茶', '/list/tea?q=%E8%8C%B6'],
    ['utf-8', '?q=茶', '/list/tea?q=%E8%8C%B6'],
  ])('has the queries of its links in its own charset: %s %s', (charset, href, expected) => {
    const base = 'https://shop.example/list/tea';
    const { links } = extract('', `<a href="${href}">x</a>`, { charset, finalUrl: base });
    expect(links).toEqual([`https://shop.example${expected}`]);
  });

  it.each([
    ['0; url=/next', 'https://shop.example/next'],
    ["5;URL = '/next' ", 'https://shop.example/next'],
    ['3, /next', 'https://shop.example/next'],
    ['30', null],
    [';', null],
  ])('that refreshes by %s leads to %s', (content, target) => {
    expect(extract('', `<meta http-equiv=Refresh content="${content}">`).refresh).toBe(target);
  });

  it('tells its canonical address', () => {
    expect(extract('', '<link rel="next canonical" href="/list/tea">').canonical).toBe('https://shop.example/list/tea');
  });
});

describe('follow rules', () => {
  const follow = (rules: string, depth = 0): readonly string[] => extract(rules, NAV, { depth }).follow;

  it('choose links by selector and by pattern, in scope only', () => {
    expect(follow('follow: [.pager a]')).toEqual(['https://shop.example/list/tea?page=2']);
    expect(follow('follow: [/p/*, /list/**]')).toEqual([
      'https://shop.example/p/1',
      'https://shop.example/list/p/2',
      'https://shop.example/list/tea?page=2',
    ]);
    expect(follow('follow: [{}]')).not.toContain('https://other.example/');
    expect(follow("follow: [{ exclude: ['/p/*', '/list/**'] }]")).toEqual(['https://shop.example/plain']);
  });

  it('lead to the next page, however it is marked', () => {
    const next = (html: string): readonly string[] => extract('follow: [next]', html).follow;
    expect(next('<a href="?page=1" rel=prev>1</a><a href="?page=3" rel="nofollow next">3</a>')).toEqual([
      'https://shop.example/list/tea?page=3',
    ]);
    expect(next('<link rel=next href="?page=4"><a href="/other">x</a>')).toEqual([
      'https://shop.example/list/tea?page=4',
    ]);
    expect(next('<ul class=pagination><li class=next><a href="?page=5">›</a></li></ul>')).toEqual([
      'https://shop.example/list/tea?page=5',
    ]);
  });

  it('end at their depth', () => {
    const rules = 'follow: [{ select: .pager a, depth: 2 }, { match: /p/* }]';
    expect(follow(rules, 1)).toHaveLength(2);
    expect(follow(rules, 2)).toEqual(['https://shop.example/p/1']);
  });

  it('may differ by page kind', () => {
    const yaml = 'follow: [/p/*]\nkinds: { list: { match: /list/*, follow: [.pager a] } }';
    expect(extract(yaml, NAV)).toMatchObject({ kind: 'list', follow: ['https://shop.example/list/tea?page=2'] });
    expect(extract(yaml, NAV, { url: 'https://shop.example/' })).toMatchObject({
      kind: null,
      follow: ['https://shop.example/p/1'],
    });
  });
});

describe('an entry page', () => {
  const yaml = 'entries: [/, /list/tea]\ngoods: { each: .card, fields: { goods_name: b } }\nfollow: [/p/*]';

  it('need not hold goods, and is followed as the site says', () => {
    const page = extract(yaml, NAV, { url: 'https://shop.example/list/tea' });
    expect(page).toMatchObject({ kind: 'entry', expectsGoods: false, goods: [], follow: ['https://shop.example/p/1'] });
    expect(extract(yaml, NAV, { url: 'https://shop.example/list/pots' })).toMatchObject({
      kind: null,
      expectsGoods: true,
    });
    expect(extract(yaml, '<p class=card><b>pot</b></p>', { url: 'https://shop.example/' }).goods).toHaveLength(1);
  });

  it('is of the kind that matches it', () => {
    const kinds = `${yaml}\nkinds: { list: { match: /list/* } }`;
    expect(extract(kinds, NAV, { url: 'https://shop.example/list/tea' })).toMatchObject({
      kind: 'list',
      expectsGoods: true,
    });
  });
});

describe('a page that would take too long to read', () => {
  it('is one with very many elements side by side', () => {
    const site = compiled("goods: { each: 'li:nth-child(2n)', optional: true, fields: { goods_name: b } }");
    const read = (count: number): string => {
      return extractPage(site, { html: `<ul>${'<li>x'.repeat(count)}`, url: PAGE_URL, finalUrl: PAGE_URL }).outcome;
    };
    expect(read(5_000)).toBe('extracted');
    expect(read(30_000)).toBe('too-complex');
  });

  const site = compiled(
    'limits: { maxElements: 1000, maxNesting: 100 }\ngoods: { each: .card, optional: true, fields: { price: i } }',
  );

  it.each([
    ['<div>'.repeat(100_000), 'elements nested deeper than 100'],
    ['<p>x</p>'.repeat(100_000), 'more than 1000 elements'],
    ['<p><b a=1>'.repeat(100_000), 'more than 1000 elements'],
    [
      `<a ${Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')}>`,
      'an element has more than 500 attributes',
    ],
  ])('is given up: %.20s…', (html, message) => {
    const started = performance.now();
    const page = extractPage(site, { html, url: PAGE_URL, finalUrl: PAGE_URL });
    expect(page.outcome).toBe('too-complex');
    expect('message' in page && page.message).toMatch(
      message === 'more than 1000 elements' ? /than 1000 elements|deeper than/ : message,
    );
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it.each([
    ['long attribute values', `<img src="data:image/png;base64,${'A '.repeat(100_000)}">`],
    [
      'scripts that look like tags',
      `<script>${'if (i<n && j<m) { next(); }\n'.repeat(2_000)}</script><style>a<b ${'x '.repeat(5_000)}</style>`,
    ],
    ['much text', `<p class=card><i>${'word 1 '.repeat(200_000)}</i>`],
    [
      'much white space',
      `<meta http-equiv=refresh content="0${' '.repeat(100_000)}x"><title>${' \n'.repeat(500_000)}</title>`,
    ],
    ['deep data', `<script type="application/ld+json">${'{"@graph":['.repeat(50_000)}</script>`],
  ])('is not one for %s', (_, html) => {
    const started = performance.now();
    expect(extractPage(site, { html, url: PAGE_URL, finalUrl: PAGE_URL }).outcome).toBe('extracted');
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it('never makes the reader throw', () => {
    const parts = fc.constantFrom(
      '<div class=card>',
      '<i>',
      '</i>',
      '1,5 €',
      '<a href="',
      '">',
      '<base href=//>',
      '<table>',
      '<template>',
      '<script type=application/ld+json>{"@type":"Product","name":',
      '</script>',
      '<svg>',
      '<p itemscope itemref=x id=x itemprop=name>',
      '&',
      '\0',
      '<!--',
    );
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        expect(extractPage(site, { html: list.join(''), url: PAGE_URL, finalUrl: PAGE_URL }).outcome).toBeTypeOf(
          'string',
        );
      }),
    );
  });
});
