import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@dist-crawl/core/errors';
import { findSites, loadSiteFile } from '@dist-crawl/core/sites';
import { afterAll, describe, expect, it } from 'vitest';
import { compileSite, compileSites, extractPage, rulesHashOf } from '../../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'modules-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CARDS = 'goods: { each: .card, fields: { goods_url: a@href, goods_name: a, price: .price } }\nfollow: [.next]';
const PAGE = `<title>Teas</title><base href="/shop/">
  <div class="card"><a href="green">Green</a><b class="price">3,50 €</b></div>
  <div class="card"><a href="black">Black</a><b class="price">sold out</b></div>
  <a class="next" href="/list?page=2">next</a><script>var stock = {"green": 7}</script>`;
const URL = 'https://shop.example/list?page=1';

let count = 0;

/** A folder with a site file that points to a module of such a text. */
function siteFile(module: string | null, rules = 'goods: none', path = './shop.mjs'): string {
  const folder = join(root, String((count += 1)));
  mkdirSync(folder);
  if (module !== null) writeFileSync(join(folder, 'shop.mjs'), module);
  const head = 'name: shop\nbase: https://shop.example\nlocale: de-DE\n';
  writeFileSync(join(folder, 'shop.yaml'), `${head}module: ${path}\n${rules}\n`);
  return join(folder, 'shop.yaml');
}

async function read(module: string, rules?: string) {
  const site = await compileSite(loadSiteFile(siteFile(module, rules)));
  return extractPage(site, { html: PAGE, url: URL, finalUrl: URL });
}

async function refused(file: string): Promise<string[]> {
  try {
    await compileSite(loadSiteFile(file));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ where, what, expected }) =>
      `${where}: ${what} | ${expected}`.replaceAll(root, '').replaceAll(/\/\d+\//g, ''),
    );
  }
}

describe('a site’s JavaScript module', () => {
  it('gives rows in place of those that the rules read', async () => {
    const page = await read(
      `export const goods = ({ $, resolve, price, html }) => $('.card').toArray().map((card) => ({
         goods_url: $(card).find('a').attr('href'),
         goods_name: $(card).find('a').text().toUpperCase(),
         price: price($(card).find('.price').text())?.amount,
         stock: JSON.parse(/stock = (.*?)<\\/script>/.exec(html)[1])[$(card).find('a').attr('href')],
         attributes: { seen: resolve('x') },
       }));`,
    );
    expect(page).toMatchObject({ outcome: 'extracted', title: 'Teas' });
    expect('goods' in page && page.goods).toEqual([
      {
        goods_url: 'https://shop.example/shop/green',
        goods_name: 'GREEN',
        price: '3.50',
        currency: null,
        attributes: { seen: 'https://shop.example/shop/x', stock: 7 },
      },
      {
        goods_url: 'https://shop.example/shop/black',
        goods_name: 'BLACK',
        price: null,
        currency: null,
        attributes: { seen: 'https://shop.example/shop/x' },
      },
    ]);
  });

  it('may change what the rules read', async () => {
    const page = await read(
      `export function goods({ goods }) {
         for (const row of goods) row.attributes.name_length = row.goods_name.length;
         return goods.filter(({ price }) => price !== null);
       }
       export const follow = ({ follow, links, kind, title, url, finalUrl }) =>
         [...follow, ...links, 'mailto:a@b', '/list?page=3#top', 'https://other.example/', \`/\${kind}/\${title}\`];`,
      CARDS,
    );
    expect('goods' in page && page.goods).toEqual([
      {
        goods_url: 'https://shop.example/shop/green',
        goods_name: 'Green',
        price: '3.50',
        currency: 'EUR',
        attributes: { name_length: 5 },
      },
    ]);
    // in scope, each once
    expect('follow' in page && page.follow).toEqual([
      'https://shop.example/list?page=2',
      'https://shop.example/shop/green',
      'https://shop.example/shop/black',
      'https://shop.example/list?page=3',
      'https://shop.example/null/Teas',
    ]);
  });

  it('may name currencies as people do', async () => {
    const page = await read("export const goods = () => [{ currency: 'RMB' }, { currency: 'EUR' }, { currency: '' }];");
    expect('goods' in page && page.goods.map(({ currency }) => currency)).toEqual(['CNY', 'EUR', null]);
  });

  it('leaves to the rules what it has no function for', async () => {
    const page = await read('export const follow = () => [];', CARDS);
    expect('goods' in page && page.goods).toHaveLength(2);
    expect('follow' in page && page.follow).toEqual([]);
  });

  it('whose rows are none where some were expected has not read the page', async () => {
    const page = await read('export const goods = () => [];', CARDS);
    expect(page).toMatchObject({ goods: [], expectsGoods: true });
  });

  it.each([
    [
      'export function goods() {\n  return missing.rows;\n}',
      'goods() ReferenceError: missing is not defined (shop.mjs:2:3)',
    ],
    ["export const goods = () => { throw 'no list'; };", 'goods() threw no list'],
    ['export const goods = async () => { throw new Error(); };', 'goods() gave a promise; expected its answer at once'],
    ['export const goods = () => undefined;', 'goods() gave no rows: undefined: expected a list of rows'],
    [
      "export const goods = () => [{}, { price: '¥12' }];",
      'goods() gave no rows: [1].price "¥12": is no amount; expected such as 12.50, or null (page.price(text) reads one)',
    ],
    ['export const goods = () => [{ price: 1 / 0 }];', 'is no amount'],
    ["export const goods = () => [{ currency: '¥' }];", '[0].currency "¥": is no currency of ISO 4217'],
    ['export const goods = () => [{ goods_name: 7 }];', '[0].goods_name 7: Invalid input'],
    ['export const goods = () => [{ count: 7n }];', 'goods() gave a row that is no JSON: [0]: TypeError'],
    ['export const goods = ({ $ }) => [{ card: $ }, { card: $("a") }];', 'goods() gave a row that is no JSON: [1]'],
    ['export const follow = () => [null];', 'follow() gave no links: [0] null: Invalid input'],
  ])('fails a page with what is wrong: %s', async (module, message) => {
    const page = await read(module);
    expect(page.outcome).toBe('module');
    expect('message' in page && page.message).toContain(message);
    expect('message' in page && page.message).toMatch(/shop\.mjs: (?:goods|follow)\(\)/);
  });

  it('keeps exact what it gives: amounts, and no ties to its objects', async () => {
    const page = await read(
      `const tags = ['a'];
       export const goods = () => [{ price: 12.5, tags }, { price: '0012345678901234567.890', tags, none: undefined }];`,
    );
    expect('goods' in page && page.goods).toMatchObject([
      { price: '12.5', attributes: { tags: ['a'] } },
      { price: '0012345678901234567.890', attributes: { tags: ['a'] } },
    ]);
  });
});

describe('a module that can’t be used is told with its place in the site file', () => {
  it.each([
    [null, "shop.yaml:4:9 module: shop.mjs can't be read: Error: ENOENT: no such file or directory"],
    ['export const goods = (;', "shop.yaml:4:9 module: shop.mjs can't be loaded: "],
    ["throw new Error('no key');", "shop.yaml:4:9 module: shop.mjs can't be loaded: Error: no key (shop.mjs:1:7)"],
    ["import 'not-installed';\nexport const goods = 1;", "can't be loaded: Error: Cannot find package 'not-installed'"],
    ['export default () => [];', 'shop.mjs exports default | a function goods or follow'],
    ['', 'shop.mjs exports nothing | a function goods or follow'],
    ['export const goods = [];', 'shop.mjs exports goods, which is no function | a function goods'],
  ])('%s', async (module, message) => {
    expect(await refused(siteFile(module))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    'shop.mjs',
    '../shop.mjs',
    './a/../../shop.mjs',
    '/etc/shop.mjs',
    './shop.cjs',
    'https://shop.example/a.mjs',
  ])('a path that leads elsewhere: %s', async (path) => {
    expect(await refused(siteFile('export const goods = () => [];', undefined, path))).toEqual([
      `shop.yaml:4:9 module: "${path}" is not a module | a path from the site file into its own folder, such as ./tea-shop.mjs`,
    ]);
  });

  it('together with all else that is wrong, in this file and in others', async () => {
    const file = siteFile(null, "goods: { fields: { goods_name: '.a[' } }");
    expect(await refused(file)).toHaveLength(2);
    writeFileSync(join(file, '../other.yaml'), 'name: other\nbase: nowhere\n');
    const found = findSites(join(file, '..'));
    await expect(compileSites(found)).rejects.toMatchObject({ problems: { length: 3 } });
  });
});

it('a changed module makes other rules', async () => {
  const hashes = new Set<string>();
  for (const module of ['export const goods = () => [];', 'export const goods = () => [ ];']) {
    hashes.add(rulesHashOf(await compileSite(loadSiteFile(siteFile(module)))).toString('hex'));
    hashes.add(rulesHashOf(await compileSite(loadSiteFile(siteFile(module)))).toString('hex'));
  }
  expect(hashes.size).toBe(2);
});
