import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLenientJson } from '../../../src/extract/structured/lenient-json.js';
import { extract, PAGE_URL } from './site-fixture.js';

const ld = (data: unknown): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

function rows(html: string): unknown[] {
  return extract('', html).goods.map(({ goods_name, price, currency }) => [goods_name, price, currency]);
}

const offer = (price: unknown, more = {}): object => ({ '@type': 'Offer', price, priceCurrency: 'GBP', ...more });
const product = (name: string, more: object = { offers: offer('8.20') }): object => ({
  '@type': 'Product',
  name,
  ...more,
});
const POT = [['Pot', '8.20', 'GBP']];

describe('products in JSON-LD', () => {
  it.each<[string, unknown, unknown[]]>([
    ['alone', product('Pot'), POT],
    ['in a list', [[product('Pot')]], POT],
    ['in a graph', { '@graph': [{ '@type': 'Organization', name: 'Shop' }, product('Pot')] }, POT],
    ['as what a page is about', { '@type': 'ItemPage', name: 'Pot!', mainEntity: product('Pot') }, POT],
    [
      'with several types, as addresses',
      { ...product('Pot'), '@type': ['http://schema.org/Product', 'schema:Thing'] },
      POT,
    ],
    [
      'by reference',
      {
        '@graph': [
          { '@type': 'WebPage', mainEntity: { '@id': '#p' } },
          { ...product('Pot'), '@id': '#p' },
        ],
      },
      POT,
    ],
    [
      'with an offer by reference',
      { '@graph': [product('Pot', { offers: { '@id': '#o' } }), { ...offer('8.20'), '@id': '#o' }] },
      POT,
    ],
    ['of a type with a slash behind it', { ...product('Pot'), '@type': 'https://schema.org/Product/' }, POT],
    ['named by their offer', { ...offer('8.20'), itemOffered: { '@type': 'Product', name: 'Pot' } }, POT],
    ['told twice', [product('Pot'), product('Pot', {})], POT],
    ['told twice, once with a number', [product('Pot'), product('Pot', { sku: 'p-1', offers: offer('8.200') })], POT],
    ['told three times', [product('Pot', { aggregateRating: {} }), product('Pot', { sku: 1 }), product('Pot')], POT],
    [
      'with the name alike',
      [
        { ...product('Pot'), sku: 1 },
        { ...product('Pot'), sku: 2 },
      ],
      [...POT, ...POT],
    ],
    [
      'after which the offer stands that points to it',
      {
        '@graph': [
          { '@type': 'Product', name: 'Pot', '@id': '#p' },
          { ...offer('8.20'), itemOffered: { '@id': '#p' } },
        ],
      },
      POT,
    ],
    [
      'with variants without a name',
      { '@type': 'ProductGroup', name: 'Pot', hasVariant: [{ '@type': 'Product', offers: offer('8.20') }] },
      POT,
    ],
    [
      'with variants that cost what the group costs',
      { ...product('Pot'), '@type': 'ProductGroup', hasVariant: [{ '@type': 'Product', color: 'red' }] },
      POT,
    ],
    ['with variants', { '@type': 'ProductGroup', name: 'Pots', hasVariant: [product('Pot')] }, POT],
    [
      'recommended, too',
      product('Pot', {
        offers: offer('8.20'),
        isRelatedTo: [product('Pan')],
        review: { itemReviewed: product('Lid') },
      }),
      POT,
    ],
    [
      'beside a list of others',
      [product('Pot'), { '@type': 'ItemList', itemListElement: [{ item: product('Pan') }] }],
      POT,
    ],
    ['of which there are none', { '@type': 'Recipe', name: 'Soup', offers: offer('1') }, []],
  ])('%s', (_, data, expected) => {
    expect(rows(ld(data))).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['a number', offer(8.2), '8.2'],
    ['a local number', offer('1.008,20'), '1008.20'],
    ['the lowest of several', [offer('10.00'), offer('9.50'), offer('100')], '9.50'],
    ['a low price', { '@type': 'AggregateOffer', lowPrice: 8, highPrice: 12, priceCurrency: 'GBP' }, '8'],
    ['inside an aggregate', { '@type': 'AggregateOffer', priceCurrency: 'GBP', offers: [{ price: '7.10' }] }, '7.10'],
    [
      'specified',
      {
        priceSpecification: [
          { price: 11, priceType: 'https://schema.org/ListPrice', priceCurrency: 'GBP' },
          { price: 9, priceCurrency: 'GBP' },
        ],
      },
      '9',
    ],
    [
      'not that of sending it',
      {
        priceSpecification: [
          { '@type': 'UnitPriceSpecification', price: 9, priceCurrency: 'GBP' },
          { '@type': 'DeliveryChargeSpecification', price: 3, priceCurrency: 'GBP' },
        ],
      },
      '9',
    ],
    [
      'not that of 100 g of it',
      {
        priceSpecification: [
          { price: 9, priceCurrency: 'GBP' },
          { price: 2, priceCurrency: 'GBP', referenceQuantity: { value: 100, unitCode: 'GRM' } },
        ],
      },
      '9',
    ],
    ['in the currency of its specification', { price: 9, priceSpecification: { priceCurrency: 'GBP' } }, '9'],
    ['an object', { price: { '@type': 'MonetaryAmount', value: 9, currency: 'GBP' } }, '9'],
    ['escaped', offer('&pound;9.50'), '9.50'],
    ['in markup', offer('<b data-was="3">9.50</b>'), '9.50'],
    ['unknown', offer('ask us'), null],
  ])('have a price that is %s', (_, offers, price) => {
    expect(rows(ld(product('Pot', { offers })))).toEqual([['Pot', price, price === null ? null : 'GBP']]);
  });

  it('have the address of their list entry, of their offer, or of the page', () => {
    const urls = (html: string): unknown[] => extract('', html).goods.map(({ goods_url }) => goods_url);
    const entry = (name: string): object => ({ '@type': 'ListItem', url: `/p/${name}`, item: product(name) });
    expect(urls(ld({ '@type': 'ItemList', itemListElement: [entry('a'), entry('b')] }))).toEqual([
      'https://shop.example/p/a',
      'https://shop.example/p/b',
    ]);
    expect(urls(ld(product('Pot', { offers: offer(1, { url: '/pot' }) })))).toEqual(['https://shop.example/pot']);
    expect(urls(ld(product('Pot')))).toEqual([PAGE_URL]);
    expect(urls(`<link rel=canonical href=/tea/pot>${ld(product('Pot'))}`)).toEqual(['https://shop.example/tea/pot']);
  });

  it('have names without markup, and more in their attributes', () => {
    const data = product('Tea &amp; <b>pot</b>', {
      sku: 7,
      brand: { '@type': 'Brand', name: 'Ko' },
      offers: offer(1, { availability: 'https://schema.org/InStock' }),
    });
    expect(extract('', ld(data)).goods).toMatchObject([
      { goods_name: 'Tea & pot', attributes: { sku: '7', brand: 'Ko', availability: 'InStock' } },
    ]);
  });
});

describe('microdata and OpenGraph', () => {
  const MICRO = `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Pot</h1>
    <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><b itemprop=price content="8.20">£ 8</b><meta itemprop=priceCurrency content=GBP></div>
    <p itemprop=isSimilarTo itemscope itemtype="https://schema.org/Product"><b itemprop=name>Pan</b></p></div>`;
  const OG =
    '<meta property="og:type" content="product"><meta property="og:title" content="Jug"><meta property="product:price:amount" content="5.00"><meta property="product:price:currency" content="GBP">';

  it('are read in that order, where JSON-LD tells of no product', () => {
    expect(rows(MICRO + OG)).toEqual(POT);
    expect(rows(OG)).toEqual([['Jug', '5.00', 'GBP']]);
    expect(rows(ld(product('Lid')) + MICRO + OG)).toEqual([['Lid', '8.20', 'GBP']]);
    expect(rows(`${ld({ '@type': 'WebSite', name: 'Shop' })}${MICRO}`)).toEqual(POT);
    expect(rows('<meta property="og:type" content="article"><meta property="og:title" content="News">')).toEqual([]);
  });

  it('lend their price to the only product of JSON-LD, where that has none', () => {
    expect(rows(ld(product('Lid', {})) + MICRO)).toEqual([['Lid', '8.20', 'GBP']]);
    expect(rows(ld(product('Lid', {})) + OG)).toEqual([['Lid', '5.00', 'GBP']]);
    expect(rows(ld([product('Lid', {}), product('Pan', {})]) + OG)).toEqual([
      ['Lid', null, null],
      ['Pan', null, null],
    ]);
    expect(extract('', OG).goods).toMatchObject([{ goods_url: PAGE_URL }]);
  });

  it.each([
    ['cents set high', '<b itemprop=price>8<sup>20</sup></b>'],
    ['an old price struck out', '<b itemprop=price><del>10.00</del> 8.20</b>'],
    ['a note set high', '<b itemprop=price>£8.20<sup>1</sup></b>'],
    ['a field of a form', '<input itemprop=price value="8.20">'],
  ])('have a price with %s', (_, price) => {
    const html = `<div itemscope itemtype="https://schema.org/Product"><i itemprop=name>Pot</i>${price}<i itemprop=priceCurrency>GBP</i></div>`;
    expect(rows(html)).toEqual(POT);
  });

  it('count as items where they are a property of none', () => {
    const html =
      '<li itemprop=itemListElement itemscope itemtype="http://schema.org/Product"><i itemprop=name content="">Pot</i></li>';
    expect(rows(html)).toEqual([['Pot', null, null]]);
  });

  it('follow itemref, also where it leads in a circle', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product" id=a itemref="a b"></div><div id=b><i itemprop=name>Pot</i><i itemprop=price>8.20</i><i itemprop=priceCurrency>GBP</i></div>`;
    expect(rows(html)).toEqual(POT);
  });
});

describe('JSON as shops write it', () => {
  it.each<[string, unknown]>([
    ['{"a": 1,}', { a: 1 }],
    ['[1,, 2,]', [1, 2]],
    ['/* x */ {"a": /* y */ 1 // z\n}', { a: 1 }],
    ['<!--\n{"a": "<!-- -->"}\n-->', { a: '<!-- -->' }],
    ['//<![CDATA[\n{"a": 1}\n//]]>', { a: 1 }],
    ['{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    ['{"a": "the "best" pot", "b": 1}', { a: 'the "best" pot', b: 1 }],
    ["{a: 'x', b_c: .5}", { a: 'x', b_c: 0.5 }],
    ['{"a": "\\u00e9\\n\\q"};', { a: 'é\nq' }],
    ['{&quot;a&quot;: &quot;R&amp;D&quot;}', { a: 'R&D' }],
    ['\ufeff{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['{"a": undefined, "b": NaN}', { a: null, b: null }],
    ['{"a": "x" "b": {"c": 1} "d": [1 2]}', { a: 'x', b: { c: 1 }, d: [1, 2] }],
    ['{"a": [1, {"b": "c"}', { a: [1, { b: 'c' }] }],
    // brackets too many, text around it
    ['{"a": 1}}', { a: 1 }],
    ['{"a": [1]}]', { a: [1] }],
    ['{"a": "x"} and so on', { a: 'x' }],
    ['var data = {"a": 1};', { a: 1 }],
    // values without quotes, or without anything
    ['{"a":, "b": 1}', { a: null, b: 1 }],
    ['{"a": }', { a: null }],
    ['{"a": EUR, "b": True, "c": NULL}', { a: 'EUR', b: true, c: null }],
    ['{"a": 12,50, "b": 1,299.00, "c": $8.20}', { a: '12,50', b: '1,299.00', c: '$8.20' }],
    ['{"a": 2026-01-15 , b: +5}', { a: '2026-01-15', b: '+5' }],
    ["{'a': In Stock, 'b': 1}", { a: 'In Stock', b: 1 }],
    ['{"a": 1 // one\n, "b": 2}', { a: 1, b: 2 }],
    // quotes that were not escaped, before signs of JSON
    ['{"a": "a 9" pot, "nice", they said", "b": 1}', { a: 'a 9" pot, "nice", they said', b: 1 }],
    ['{"a": "Sizes: 9", 8", 7""}', { a: 'Sizes: 9", 8", 7"' }],
    ['{"a": "the "best": a pot", "b": 1}', { a: 'the "best": a pot', b: 1 }],
    ['{"a": "x {"y"} z", "b": 1}', { a: 'x {"y"} z', b: 1 }],
    ['{"a": "<p style="color: red; top: 1px">x</p>", "b": 1}', { a: '<p style="color: red; top: 1px">x</p>', b: 1 }],
    // markup and signs between the tokens
    ['<p>{<br />\n"a": 1,<br />\n"b": 2<br />\n}</p>', { a: 1, b: 2 }],
    ['{<!-- the price -->"a": 1}', { a: 1 }],
    ['{"a": "x",\u200b\u00a0"b": 1}', { a: 'x', b: 1 }],
    ['{&#034;a&#x22;: 1}', { a: 1 }],
    ['{“a”: “x”}', { a: 'x' }],
    ['{"a": "cut', undefined],
    ['{"a":', undefined],
    ['{"a" 1}', undefined],
    ['', undefined],
    ['window.x', undefined],
    ['{"a":'.repeat(5000), undefined],
  ])('%s', (text, value) => {
    const parsed = parseLenientJson(text);
    expect(parsed === undefined ? undefined : JSON.parse(JSON.stringify(parsed))).toEqual(value);
  });

  it('is read as the standard says where it keeps to it, and with commas and comments added', () => {
    const json = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(json, (value) => {
        const loose = JSON.stringify([value], null, 1).replace(/\n\]$/, ', /* end */\n]');
        expect(JSON.parse(JSON.stringify(parseLenientJson(loose)))).toEqual([value]);
      }),
    );
  });

  it('never makes the reader throw', () => {
    const parts = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '\\', '/*', '//', 'a', '1', '\n', '\\u12'),
    );
    fc.assert(fc.property(parts, (list) => void parseLenientJson(list.join(''))));
  });
});
