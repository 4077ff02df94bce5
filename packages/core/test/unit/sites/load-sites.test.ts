import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors/index.js';
import { loadSiteFile, loadSites, pageUrl, type Site } from '../../../src/sites/index.js';

const root = mkdtempSync(join(tmpdir(), 'sites-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

let directories = 0;

/** A directory with these site files. */
function sites(files: Record<string, string>): string {
  const dir = join(root, String((directories += 1)));
  mkdirSync(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

function load(text: string): Site {
  return loadSiteFile(join(sites({ 'site.yaml': text }), 'site.yaml')).site;
}

/** What is said about a file, without the path of its directory. */
function complaints(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(
      ({ where, what, expected }) => `${where.replace(/^.*\/(?=[^/]*$)/, '')} | ${what} | ${expected}`,
    );
  }
  return [];
}

function complaintsAbout(text: string): string[] {
  const dir = sites({ 'site.yaml': text });
  return complaints(() => loadSiteFile(join(dir, 'site.yaml')));
}

const SHOP = 'name: shop\nbase: https://shop.example/\n';

describe('a site file', () => {
  it('needs a name and a base; all else has defaults', () => {
    expect(load(SHOP)).toEqual({
      name: 'shop',
      namespace: 'dist:crawl:shop',
      base: 'https://shop.example/',
      entries: [],
      pace: { ratePerSecond: 2, concurrency: 16, burst: 1 },
      dedup: { store: 'set' },
      scope: { hosts: ['shop.example'], include: [], exclude: [] },
      allowPrivateAddresses: false,
      robots: 'obey',
      headers: {},
      cookies: {},
      limits: { timeoutMs: 30_000, maxBytes: 10_485_760, maxRedirects: 10, maxElements: 100_000, maxNesting: 512 },
      traps: { pathRepeats: 3, queryVariants: 10_000 },
      goods: 'structured',
      follow: [],
      kinds: [],
    });
  });

  it('of the demo shop is one', () => {
    const { site } = loadSiteFile(fileURLToPath(new URL('../../../../../sites/demo-shop.yaml', import.meta.url)));
    expect(site).toMatchObject({ namespace: 'dist:crawl', allowPrivateAddresses: true });
    expect(pageUrl(site, 200)).toBe('http://127.0.0.1:8099/goods/list?page=200');
  });

  it.each([
    ['20/s', 20],
    ['30/m', 0.5],
    ['600/h', 1 / 6],
    ['0.5/s', 0.5],
    ['none', null],
  ])('may go at a rate of %s', (rate, perSecond) => {
    expect(load(`${SHOP}pace: { rate: ${rate} }`).pace.ratePerSecond).toBe(perSecond);
  });

  it.each([
    ['set', { store: 'set' }],
    ['bloom', { store: 'bloom', errorRate: 1e-6, initialCapacity: 1_000_000 }],
    ['{ bloom: { errorRate: 1.0e-4 } }', { store: 'bloom', errorRate: 1e-4, initialCapacity: 1_000_000 }],
  ])('may remember what is done by dedup: %s', (dedup, expected) => {
    expect(load(`${SHOP}dedup: ${dedup}`).dedup).toEqual(expected);
  });

  it('has fields in short form, in long form, and as a list of ways to find them', () => {
    const { goods } = load(`${SHOP}goods:
  each: .card
  fields:
    goods_url: a.name @ href
    goods_name: .title
    id: '@data-id'
    price: [.sale, { jsonld: offers.price }]
    note: { select: .note, take: own-text, lower: true }`);
    expect(goods).toMatchObject({
      each: '.card',
      optional: false,
      fields: {
        goods_url: [{ select: 'a.name', attr: 'href' }],
        goods_name: [{ select: '.title' }],
        id: [{ attr: 'data-id' }],
        price: [{ select: '.sale' }, { jsonld: 'offers.price' }],
        note: [{ select: '.note', take: 'own-text', lower: true }],
      },
    });
  });

  it('has page kinds that take from the site what they do not say', () => {
    const { kinds } = load(`${SHOP}limits: { maxBytes: 2000000 }
goods: { fields: { goods_name: h1 } }
follow: [/list/*, .next]
kinds:
  detail: { match: /p/*, follow: [], limits: { timeoutMs: 5000 } }
  news: { match: [/n/*, /news/**], goods: none }`);
    expect(kinds).toMatchObject([
      {
        name: 'detail',
        match: ['/p/*'],
        goods: { fields: {} },
        follow: [],
        limits: { timeoutMs: 5000, maxBytes: 2_000_000 },
      },
      {
        name: 'news',
        match: ['/n/*', '/news/**'],
        goods: 'none',
        follow: [{ match: ['/list/*'] }, { select: '.next' }],
      },
    ]);
  });

  it('is refused with every problem at once, each with line and column', () => {
    expect(
      complaintsAbout(`name: My Shop
bass: x
pages: /list
pace: { rate: 20/d, concurency: 3 }
dedup: { bloom: { errorRate: 2 } }
scope:
  hosts: [a b]
  include: [goods]
robots: obay
headers: { Host: x }
goods:
  each: .card
  fields:
    price: { selekt: .p, as: prise }
    size: { attr: a, take: text, match: '(' }
    other: 5
follow:
  - { depht: 2 }
kinds:
  detail: { goods: nothing }
`),
    ).toMatchInlineSnapshot(`
      [
        "site.yaml:1:1 base | is missing | text",
        "site.yaml:1:7 name | "My Shop" is not a name | lower-case letters, digits and dashes, at most 64",
        "site.yaml:2:1 bass | unknown key bass (did you mean base?) | one of name, namespace, base, pages, entries, pace, dedup, scope, allowPrivateAddresses, robots, userAgent, headers, cookies, proxies, limits, trackingParameters, locale, currency, maxDepth, maxPages, traps, goods, module, follow, kinds",
        "site.yaml:3:8 pages | has not one {page} | a URL or path with {page} where the number goes, such as /list?page={page}",
        "site.yaml:4:15 pace.rate | "20/d" is not a rate | such as 20/s, 30/m or 600/h (at most 10000/s), or none for no limit",
        "site.yaml:4:21 pace.concurency | unknown key concurency (did you mean concurrency?) | one of rate, concurrency, burst",
        "site.yaml:5:30 dedup.bloom.errorRate | 2 is too big | at most 0.1",
        "site.yaml:7:11 scope.hosts.0 | "a b" is not a host | a host such as shop.example, *.shop.example or 127.0.0.1:8099",
        "site.yaml:8:13 scope.include.0 | "goods" does not begin with / or http(s):// | a pattern such as /goods/* or https://shop.example/list/**",
        "site.yaml:9:9 robots | "obay" is not known (did you mean obey?) | one of obey, ignore",
        "site.yaml:10:12 headers.Host | Host is set elsewhere | another header (userAgent and cookies have keys of their own)",
        "site.yaml:14:14 goods.fields.price.selekt | unknown key selekt (did you mean select?) | one of select, attr, take, all, join, match, trim, lower, upper, const, jsonld, as, default, required",
        "site.yaml:14:30 goods.fields.price.as | "prise" is not known (did you mean price?) | one of text, number, price, date, url",
        "site.yaml:15:28 goods.fields.size.take | attr and take exclude each other | one of them",
        "site.yaml:15:41 goods.fields.size.match | Invalid regular expression: /(/u: Unterminated group | a regular expression as in JavaScript, with the u flag",
        "site.yaml:16:12 goods.fields.other | 5 is not a block of keys | a block of keys",
        "site.yaml:18:7 follow.0.depht | unknown key depht (did you mean depth?) | one of select, attr, match, exclude, depth",
        "site.yaml:20:3 kinds.detail.match | is missing | text",
        "site.yaml:20:20 kinds.detail.goods | "nothing" is not a goods block | a block with each and fields, or structured, or none",
      ]
    `);
  });

  it('that is no YAML is refused with the line', () => {
    expect(complaintsAbout('name: a\nname: b\nbase: [')).toEqual([
      'site.yaml:2:1 | Map keys must be unique | valid YAML',
      expect.stringMatching(/^site\.yaml:3:8 \| Flow sequence .* \| valid YAML$/),
    ]);
    expect(complaintsAbout('')).toEqual(['site.yaml:1:1 | null is not a block of keys | a block of keys']);
    expect(complaints(() => loadSiteFile(join(root, 'none.yaml')))).toEqual([expect.stringContaining("can't be read")]);
  });

  it('whose pages lie outside its scope is refused', () => {
    expect(complaintsAbout(`${SHOP}pages: https://other.example/{page}`)).toEqual([
      "site.yaml:3:8 pages | https://other.example/1 is not in the site's scope | pages inside scope",
    ]);
  });

  it('whose entry pages lie outside its scope, or are none, is refused', () => {
    expect(complaintsAbout(`${SHOP}entries: [/, 'https://other.example/', 'mailto:x']`)).toEqual([
      "site.yaml:3:14 entries.1 | https://other.example/ is not in the site's scope | a page of the site, such as / or /category/tea",
      'site.yaml:3:40 entries.2 | "mailto:x" gives no URL | a page of the site, such as / or /category/tea',
    ]);
    expect(load(`${SHOP}entries: /tea`).entries).toEqual(['/tea']);
  });
});

describe('a directory of site files', () => {
  it('gives all sites, or those that are asked for by name or by path', () => {
    const dir = sites({
      'a.yaml': 'name: a\nbase: http://a.example',
      'b.yml': 'name: bee\nbase: http://b.example',
      'c.txt': '',
    });
    const names = (wanted?: string[]): string[] => loadSites(dir, wanted).map(({ site }) => site.name);
    expect(names()).toEqual(['a', 'bee']);
    expect(names(['bee'])).toEqual(['bee']);
    expect(names([join(dir, 'a.yaml'), 'bee']).toSorted()).toEqual(['a', 'bee']);
    expect(complaints(() => names(['be']))).toEqual([
      expect.stringMatching(/\| no site is called be \(did you mean bee\?\) \| one of a, bee, or a path of a file$/),
    ]);
  });

  it('is refused where two sites share a name or a namespace', () => {
    const one = 'name: one\nbase: http://a.example\n';
    const dir = sites({
      'a.yaml': one,
      'b.yaml': one,
      'c.yaml': `name: three\nnamespace: dist:crawl:one\nbase: http://a.example`,
    });
    const said = complaints(() => loadSites(dir));
    expect(said.map((line) => line.replaceAll(dir, ''))).toEqual([
      'b.yaml:1:7 name | one is also the name of /a.yaml | a name of its own',
      'b.yaml:1:1 namespace | dist:crawl:one is also the namespace of /a.yaml | a namespace of its own',
      'c.yaml:2:12 namespace | dist:crawl:one is also the namespace of /a.yaml | a namespace of its own',
    ]);
  });

  it('with a broken file still gives the other sites', () => {
    const dir = sites({
      'a.yaml': 'name: a\nbase: http://a.example',
      'broken.yaml': 'name: [',
      'wrong.yaml': 'name: wrong',
    });
    expect(loadSites(dir, ['a'])).toHaveLength(1);
    expect(complaints(() => loadSites(dir))).toHaveLength(2);
    expect(complaints(() => loadSites(dir, ['broken']))).toHaveLength(1);
  });

  it('without any is refused', () => {
    expect(complaints(() => loadSites(sites({})))).toEqual([expect.stringContaining('holds no site file')]);
    expect(complaints(() => loadSites(join(root, 'nowhere')))).toEqual([expect.stringContaining("can't be read")]);
  });
});
