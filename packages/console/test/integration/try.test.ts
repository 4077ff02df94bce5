import { type Shop, startShop } from '@dist-crawl/testbed';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { crawl, makeHome } from '../crawl.js';

let shop: Shop;

beforeAll(async () => {
  shop = await startShop({ pages: 20 });
  const goods = 'goods:\n  each: .goods-card\n  fields: { goods_url: a@href, goods_name: .title, price: .price }\n';
  const site = `base: ${shop.url}\nallowPrivateAddresses: true\n${goods}`;
  const home = makeHome({ 'demo.yaml': `name: demo\n${site}` });
  vi.stubEnv('CRAWL_HOME', home);
  vi.stubEnv('SITES_DIR', home);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('DATABASE_URL', '');
});
beforeEach(() => {
  shop.setFaults([]);
  shop.reset();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await shop.stop();
});

const page = (number: number): string => `${shop.url}/goods/list?page=${number}`;
interface Line {
  readonly url: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly site: string | null;
  readonly goods: readonly { goods_url: string; goods_name: string }[];
  readonly links: readonly string[];
  readonly robots: { allowed: boolean } | null;
}
const answers = (lines: readonly string[]): Line[] => lines.map((line) => JSON.parse(line) as Line);

describe('try --json', () => {
  test('needs no server, finds the site by its scope and gives what the shop sells', async () => {
    const { code, out, notes } = await crawl(['try', '--json', page(3)]);
    expect([code, notes]).toEqual([0, []]);
    const [answer] = answers(out);
    expect(answer).toMatchObject({
      url: page(3),
      finalUrl: page(3),
      status: 200,
      charset: 'utf-8',
      outcome: 'ok',
      message: null,
      site: 'demo',
      inScope: true,
      redirects: [],
      replacementCharacters: 0,
      robots: { allowed: true, crawlDelaySeconds: null },
    });
    const expected = shop.expectedGoods(3);
    expect(answer?.goods.map(({ goods_name: name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(answer?.links).toContain(page(4));
  });

  test('prints one line a URL in the order of the command, whatever comes of each and whichever is slow', async () => {
    shop.setFaults([
      { kind: 'slow', pages: [1], delayMs: 600, attempts: 'always' },
      { kind: 'server-error', pages: [4], attempts: 'always' },
    ]);
    const urls = [page(1), page(2), 'mailto:us@shop.example', `${shop.url}/cart`, page(4), page(99), page(5)];
    const { code, out } = await crawl(['try', '--json', ...urls]);
    expect(code).toBe(1);
    expect(answers(out).map(({ url, outcome }) => [url, outcome])).toEqual([
      [urls[0], 'ok'],
      [urls[1], 'ok'],
      [urls[2], 'invalid-url'],
      [urls[3], 'robots'],
      [urls[4], 'http-500'],
      [urls[5], 'http-404'],
      [urls[6], 'ok'],
    ]);
    expect(answers(out)[3]?.robots?.allowed).toBe(false);
    expect(Object.keys(shop.counts().paths)).not.toContain('/cart');
  });

  test('asks for robots.txt once, and for no more than four pages at once', async () => {
    shop.setFaults([{ kind: 'slow', attempts: 'always', delayMs: 100 }]);
    await crawl(['try', '--json', ...Array.from({ length: 12 }, (_, n) => page(n + 1))]);
    const { paths, maxInFlight } = shop.counts();
    expect(paths['/robots.txt']?.requests).toBe(1);
    expect(maxInFlight).toBeLessThanOrEqual(4);
  });

  test('a Crawl-delay is kept between pages, and holds up no other origin', async () => {
    const slow = await startShop({ pages: 5, robots: 'User-agent: *\nCrawl-delay: 1\n' });
    try {
      const list = (number: number): string => `${slow.url}/goods/list?page=${number}`;
      const began = performance.now();
      const { out } = await crawl(['try', '--json', list(1), list(2), page(1), page(2)]);
      expect(answers(out)).toHaveLength(4);
      expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
      const [, first = 0, second = 0] = slow.counts().times;
      expect(second - first).toBeGreaterThanOrEqual(990);
      const times = shop.counts().times;
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(900);
    } finally {
      await slow.stop();
    }
  });
});

test('for people, a page is shown with its rows and the exit code tells whether all went well', async () => {
  const { code, out } = await crawl(['try', page(1)]);
  expect(code).toBe(0);
  const text = out.join('\n');
  expect(text).toContain('goods     24 rows would be saved');
  expect(text).toContain(shop.expectedGoods(1)[0]?.name.slice(0, 10));
  expect(text).toContain('/goods/');
});

test('robots tells the rule and its line', async () => {
  const { code, out } = await crawl(['robots', `${shop.url}/cart`]);
  expect(code).toBe(1);
  expect(out.join('\n')).toContain('refused, by "Disallow: /cart" in line 3');
  expect(out.join('\n')).toContain(`${shop.url}/sitemap.xml`);
  expect((await crawl(['robots', page(1)])).code).toBe(0);
});

test('sitemap follows an index and prints each page once', async () => {
  const { code, out } = await crawl(['sitemap', `${shop.url}/sitemap.xml`, '--json']);
  expect([code, out.length]).toEqual([0, 1]);
  const { url, urls } = JSON.parse(out[0] ?? '') as { url: string; urls: string[] };
  expect(url).toBe(`${shop.url}/sitemap.xml`);
  expect(urls).toContain(page(20));
  expect(new Set(urls).size).toBe(urls.length);
  const plain = await crawl(['sitemap', `${shop.url}/sitemap.xml`]);
  expect(plain.out).toEqual(urls);
});
