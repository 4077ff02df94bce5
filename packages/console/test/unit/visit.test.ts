import { siteSchema, type LoadedSite } from '@dist-crawl/core/sites';
import { describe, expect, test } from 'vitest';
import { readFault } from '../../src/shop/run-shop.js';
import { refusalOf } from '../../src/visit/answer.js';
import { createSiteChooser, siteWithoutFile } from '../../src/visit/choose-site.js';
import { showAnswer } from '../../src/visit/show-answer.js';

const loaded = (name: string, base: string, more = {}): LoadedSite => ({
  site: siteSchema.parse({ name, base, ...more }),
  file: `sites/${name}.yaml`,
  locate: () => ({ line: 1, column: 1 }),
  problem: (path, what, expected) => ({ where: path.join('.'), what, expected }),
});
const tea = loaded('tea', 'https://tea.example');
const all = loaded('all', 'https://shop.example', { scope: { hosts: ['shop.example', 'tea.example'] } });

describe('the site of a URL', () => {
  test('is the one that was asked for, also out of its scope', () => {
    const choose = createSiteChooser({ sites: [tea], asked: true });
    expect(choose('https://other.example/')).toMatchObject({ loaded: tea, chosen: 'asked for', inScope: false });
  });

  test('is the only one whose scope has it', () => {
    const choose = createSiteChooser({ sites: [tea, all], asked: false });
    expect(choose('https://shop.example/?utm_source=x')).toMatchObject({
      loaded: all,
      chosen: 'by scope',
      url: 'https://shop.example/',
    });
  });

  test('is none where two sites have it, or nobody does: then only the page itself speaks', () => {
    const choose = createSiteChooser({ sites: [tea, all], asked: false });
    expect(choose('https://tea.example/')).toMatchObject({ chosen: 'none', candidates: ['tea', 'all'] });
    expect(choose('https://nobody.example/')).toMatchObject({ chosen: 'none', candidates: [] });
  });

  test('without a site file goods come from structured data, and redirects may go to www', () => {
    expect(siteWithoutFile('https://www.shop.example').site).toMatchObject({
      goods: 'structured',
      scope: { hosts: ['www.shop.example', 'shop.example', '*.shop.example'] },
    });
    expect(siteWithoutFile('http://127.0.0.1:8099').site.scope.hosts).toEqual(['127.0.0.1:8099']);
    expect(siteWithoutFile('http://[::1]:8099').site.scope.hosts).toEqual(['[::1]:8099']);
  });
});

test('what is no URL gets an answer, too', () => {
  const choose = createSiteChooser({ sites: [], asked: false });
  const refused = ['mailto:a@b.example', 'nonsense', `https://a.example/${'x'.repeat(2100)}`].map(choose);
  const outcomes = refused.flatMap((each) => ('problem' in each ? [refusalOf(each)] : []));
  expect(outcomes.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['invalid-url', 'only http and https URLs can be crawled'],
    ['invalid-url', 'this is no URL; a whole one is needed, such as https://shop.example/goods'],
    ['invalid-url', 'the URL is longer than 2,048 bytes'],
  ]);
});

test('a page is shown with what would be saved and what would be queued', () => {
  const goods = Array.from({ length: 32 }, (_, n) => ({
    goods_url: `https://tea.example/p/${n}`,
    goods_name: `龙井茶 No.${n}`,
    price: n === 1 ? null : '12.5000',
    currency: null,
    attributes: n === 1 ? { price_text: 'ask us' } : {},
  }));
  const lines = showAnswer(
    {
      url: 'https://tea.example/list',
      finalUrl: 'https://tea.example/list/',
      redirects: ['https://tea.example/list'],
      status: 200,
      bytes: 48_700,
      charset: 'gb18030',
      replacementCharacters: 2,
      title: '茶',
      robots: { allowed: true, crawlDelaySeconds: 2, source: 'file', rule: 'Allow: /', line: 6 },
      outcome: 'ok',
      verdict: null,
      message: null,
      site: 'tea',
      candidates: [],
      inScope: true,
      kind: 'list',
      goods,
      unreadablePrices: 1,
      links: ['https://tea.example/p/1', 'https://other.example/'],
      follow: ['https://tea.example/p/1'],
    },
    80,
  );
  expect(lines.join('\n')).toMatchSnapshot();
});

test('faults of the shop are read from the command line', () => {
  expect(readFault('server-error')).toEqual({ kind: 'server-error', rate: 1, attempts: 1 });
  expect(readFault('slow:0.1:always')).toEqual({ kind: 'slow', rate: 0.1, attempts: 'always' });
  expect(readFault('drip:1:3')).toEqual({ kind: 'drip', rate: 1, attempts: 3 });
  for (const wrong of ['', 'sloow', 'slow:2', 'slow:', 'slow:0.1:0', 'slow:0.1:never', 'slow:0.1:1:1']) {
    expect(readFault(wrong), wrong).toBeUndefined();
  }
});
