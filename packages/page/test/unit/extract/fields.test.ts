import { ConfigError } from '@dist-crawl/core/errors';
import { describe, expect, it } from 'vitest';
import { compiled, extract } from './site-fixture.js';

const CARDS = `<base href="/shop/">
<div class="card" data-id="K-1"><a href="k/1?utm_source=x#top"><b class="title"> Iron
  kettle </b></a><span class="price">1.299,00 €</span><i class="tag">Iron</i><i class="tag">Black</i>
  <p class="sold">1.2万 sold</p><p class="when">Added 3 March 2026, 18:05</p><p class="html">a <b>b</b></p></div>
<div class="card" data-id="K-2"><a href="mailto:a@b.example"><b class="title">Copper kettle</b></a>
  <span class="price"><del>£80.00</del> <ins>£60.00</ins></span></div>
<div class="card" data-id="K-3"><b class="title">Glass kettle</b><span class="price">on request</span></div>
<div class="card"><img src="ad.png"></div>`;

/** One field of the first card. */
function field(rule: string, html = CARDS): unknown {
  return extract(`goods: { each: .card, fields: { goods_name: .title, it: ${rule} } }`, html).goods[0]?.attributes[
    'it'
  ];
}

describe('a goods block', () => {
  const goods = `goods:
  each: .card
  fields: { goods_url: a@href, goods_name: .title, price: .price, id: '@data-id' }`;

  it('gives a row for each card, with absolute addresses, exact prices, and the text of those that are none', () => {
    const page = extract(goods, CARDS);
    expect(page.goods).toEqual([
      {
        goods_url: 'https://shop.example/shop/k/1',
        goods_name: 'Iron kettle',
        price: '1299.00',
        currency: 'EUR',
        attributes: { id: 'K-1' },
      },
      { goods_url: null, goods_name: 'Copper kettle', price: '60.00', currency: 'GBP', attributes: { id: 'K-2' } },
      {
        goods_url: null,
        goods_name: 'Glass kettle',
        price: null,
        currency: null,
        attributes: { id: 'K-3', price_text: 'on request' },
      },
    ]);
    expect(page).toMatchObject({ unreadablePrices: 1, expectsGoods: true });
  });

  it('takes the page as one card where it names none', () => {
    const { goods: rows } = extract(
      'goods: { fields: { goods_name: h1, price: .now } }',
      '<h1>Pot</h1><p class=now>9,50 zł</p>',
    );
    expect(rows).toMatchObject([{ goods_name: 'Pot', price: '9.50', currency: 'PLN' }]);
  });

  it('leaves out cards without a required field', () => {
    const { goods: rows } = extract(
      'goods: { each: .card, fields: { goods_name: .title, goods_url: { select: a, attr: href, required: true } } }',
      CARDS,
    );
    expect(rows.map(({ goods_name }) => goods_name)).toEqual(['Iron kettle']);
  });

  it('reads the currency from a field of its own, or as the site says', () => {
    const html = '<div class=card><i>24,00</i><u>AUD</u></div>';
    const row = (yaml: string): unknown => extract(yaml, html).goods[0];
    expect(row('goods: { each: .card, fields: { price: i, currency: u } }')).toMatchObject({
      price: '24.00',
      currency: 'AUD',
    });
    expect(row('currency: EUR\ngoods: { each: .card, fields: { price: i } }')).toMatchObject({
      price: '24.00',
      currency: 'EUR',
    });
    expect(row('goods: { each: .card, fields: { price: i, currency: { const: SEK } } }')).toMatchObject({
      currency: 'SEK',
    });
  });

  it('reads one separator before three digits as the locale says', () => {
    const price = (locale: string): unknown =>
      extract(`${locale}\ngoods: { fields: { price: i } }`, '<i>1.299</i>').goods[0]?.price;
    expect(price('')).toBe('1299');
    expect(price('locale: de-DE')).toBe('1299');
    expect(price('locale: en-GB')).toBe('1.299');
  });

  it('may expect nothing, or leave pages to their structured data', () => {
    const shop = `${goods.replace('each', 'optional: true\n  each')}
kinds: { detail: { match: /p/*, goods: structured }, about: { match: /about, goods: none } }`;
    expect(extract(shop, '')).toMatchObject({ kind: null, goods: [], expectsGoods: false });
    const data = '<script type="application/ld+json">{"@type":"Product","name":"Pot"}</script>';
    expect(extract(shop, data, { url: 'https://shop.example/p/1' })).toMatchObject({
      kind: 'detail',
      goods: [{ goods_name: 'Pot' }],
    });
    expect(extract(shop, data, { url: 'https://shop.example/about' })).toMatchObject({ kind: 'about', goods: [] });
  });
});

describe('a field', () => {
  it.each<[string, unknown]>([
    ['.title', 'Iron kettle'],
    ["'@data-id'", 'K-1'],
    ['{ attr: data-id, lower: true }', 'k-1'],
    ['{ select: .title, upper: true }', 'IRON KETTLE'],
    ['{ select: .title, trim: false }', ' Iron\n  kettle '],
    ['{ select: .html, take: own-text }', 'a'],
    ['{ select: .html, take: html }', 'a <b>b</b>'],
    ['{ select: .tag, all: true }', ['Iron', 'Black']],
    ["{ select: .tag, join: ' / ' }", 'Iron / Black'],
    ["{ attr: data-id, match: '[A-Z]-(\\d+)' }", '1'],
    ["{ attr: data-id, match: '\\d+', as: number }", 1],
    ['{ select: .sold, as: number }', 12_000],
    ['{ select: .price, as: price }', '1299.00'],
    ['{ select: .when, as: date }', '2026-03-03T18:05:00'],
    ['{ select: a, attr: href, as: url }', 'https://shop.example/shop/k/1'],
    ['{ const: kettles }', 'kettles'],
    ['{ select: .none, default: 7 }', 7],
    ['.none', null],
    ['[.none, .title]', 'Iron kettle'],
    ['{ select: "> b" }', null],
    ['{ select: "> a > .title" }', 'Iron kettle'],
    ['{ select: "p:has(b)" }', 'a b'],
    ['{ select: ".tag:last-of-type, .nothing" }', 'Black'],
  ])('%s is %j', (rule, value) => {
    expect(field(rule, CARDS)).toEqual(value);
  });

  it.each([
    ['2026-11-03', '2026-11-03'],
    ['2026年11月3日 18:30', '2026-11-03T18:30:00'],
    ['Updated: 03.11.2026', '2026-11-03'],
    ['3/11/2026', '2026-11-03'],
    ['November 3rd, 2026 at 6:30 pm', '2026-11-03T18:30:00'],
    ['2026-11-03T18:30:00+08:00', '2026-11-03T18:30:00+08:00'],
    ['2026年11月3日 下午6:30', '2026-11-03T18:30:00'],
    ['2026年11月3日 上午12:05', '2026-11-03T00:05:00'],
    ['2026年11月3日 18时30分05秒', '2026-11-03T18:30:05'],
    ['2026-11-3 8:5', '2026-11-03T08:05:00'],
    ['2026년 11월 3일 오후 6시 30분', '2026-11-03T18:30:00'],
    ['2026-11-03 12:30 am', '2026-11-03T00:30:00'],
    ['2026-11-03 (page 2)', '2026-11-03'],
    ['31.02.2026', null],
    ['soon', null],
  ])('as a date reads %s as %s', (text, value) => {
    expect(field('{ select: i, as: date }', `<div class=card><b class=title>x</b><i>${text}</i></div>`)).toBe(value);
  });

  it('is read from structured data where its selector finds nothing', () => {
    const data =
      '<script type="application/ld+json">{"@type":"Product","name":"Pot","offers":{"price":12.5,"priceCurrency":"EUR"}}</script>';
    const yaml = 'goods: { fields: { goods_name: h1, price: { select: .price, jsonld: offers.price } } }';
    expect(extract(yaml, `${data}<h1>Clay pot</h1>`).goods).toMatchObject([
      { goods_name: 'Clay pot', price: '12.5', currency: 'EUR' },
    ]);
    expect(extract(yaml, `${data}<p class=price>£9.00</p>`).goods).toMatchObject([{ price: '9.00', currency: 'GBP' }]);
  });
});

describe('a site file with bad selectors', () => {
  it('is refused, each with its line', () => {
    let said: readonly { where: string; what: string }[] = [];
    try {
      compiled(`goods:
  each: '.card['
  fields:
    goods_name: h2::text
    price: [.ok, { select: ':unknown(1)' }]
follow:
  - { select: ':not(' }
`);
    } catch (error) {
      if (error instanceof ConfigError) said = error.problems;
    }
    expect(said.map(({ where, what }) => `${where.replace(/^.*(?=site\.yaml)/, '')} ${what}`)).toEqual([
      expect.stringMatching(/^site\.yaml:4:9 goods\.each "\.card\[" is no selector: /),
      expect.stringMatching(/^site\.yaml:6:17 goods\.fields\.goods_name "h2::text" is no selector: ::text is not CSS/),
      expect.stringMatching(/^site\.yaml:7:28 goods\.fields\.price\.1\.select ":unknown\(1\)" is no selector: /),
      expect.stringMatching(/^site\.yaml:9:15 follow\.0\.select ":not\(" is no selector: /),
    ]);
  });
});
