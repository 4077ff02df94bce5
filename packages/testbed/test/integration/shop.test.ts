import { afterEach, describe, expect, test } from 'vitest';

import { eventually } from '../../src/processes/eventually.js';
import { type Shop, type ShopOptions, startShop } from '../../src/shop/shop.js';

let shop: Shop | null = null;

afterEach(async () => {
  await shop?.stop();
  shop = null;
});

async function open(options: ShopOptions): Promise<Shop> {
  shop = await startShop(options);
  return shop;
}

const list = (of: Shop, page: number): string => `${of.url}/goods/list?page=${page}`;
const text = async (url: string): Promise<string> => (await fetch(url)).text();

describe('the demo shop', () => {
  test('serves list pages of 40 to 60 KB with 24 cards, as told by expectedGoods', async () => {
    const { url } = await open({ pages: 3 });
    const html = await text(`${url}/goods/list?page=2`);
    expect(Buffer.byteLength(html)).toBeGreaterThan(40_000);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    const links = [...html.matchAll(/class="goods-card[^>]*>\s*<a[^>]*href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(shop?.expectedGoods(2).map(({ path }) => path));
    expect(links).toHaveLength(24);
  });

  test('serves the same bytes for the same seed, others for another', async () => {
    const first = await text(list(await open({ pages: 3, seed: 5 }), 2));
    await shop?.stop();
    expect(await text(list(await open({ pages: 3, seed: 5 }), 2))).toBe(first);
    await shop?.stop();
    expect(await text(list(await open({ pages: 3, seed: 6 }), 2))).not.toBe(first);
  });

  test('has detail pages with JSON-LD, category pages, robots.txt and sitemaps of all its URLs', async () => {
    const whole = await open({ pages: 3 });
    const { url } = whole;
    const detail = await text(`${url}/goods/30`);
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(detail)?.[1] ?? '';
    const [goods] = whole.expectedGoods(2).filter(({ id }) => id === 30);
    expect(JSON.parse(json)).toMatchObject({
      name: goods?.name,
      offers: { price: goods?.price, priceCurrency: 'CNY' },
    });
    expect(await text(`${url}/category/3`)).toContain('class="goods-card');
    expect(await text(`${url}/robots.txt`)).toContain(`Sitemap: ${url}/sitemap.xml`);
    const files = [...(await text(`${url}/sitemap.xml`)).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc ?? '');
    const urls = (await Promise.all(files.map(text))).flatMap((xml) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)]);
    expect(urls).toHaveLength(3 + 72 + 12);
    for (const path of ['/goods/73', '/category/12', '/goods/list?page=4', '/goods/list?page=0', '/nowhere']) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
  });

  test('answers the last page for pages beyond it where it clamps', async () => {
    const clamping = await open({ pages: 3, clamp: true });
    expect(await text(list(clamping, 99))).toBe(await text(list(clamping, 3)));
  });

  test('speaks GBK', async () => {
    const gbk = await open({ pages: 3, charset: 'gbk' });
    const response = await fetch(list(gbk, 1));
    expect(response.headers.get('content-type')).toBe('text/html; charset=gbk');
    const html = new TextDecoder('gbk', { fatal: true }).decode(await response.arrayBuffer());
    expect(html).toContain('<meta charset="gbk">');
    expect(html).toContain('加入购物车');
  });
});

describe('faults', () => {
  test('passing ones fail at the first attempts, then pass', async () => {
    const failing = await open({ pages: 9, faults: [{ kind: 'server-error', status: 502, attempts: 2, pages: [4] }] });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push((await fetch(list(failing, 4))).status);
    expect(statuses).toEqual([502, 502, 200]);
    expect((await fetch(list(failing, 5))).status).toBe(200);
  });

  test('resets cut the connection, before the headers and in the body', async () => {
    const cutting = await open({
      pages: 9,
      faults: [
        { kind: 'reset-before-headers', pages: [1] },
        { kind: 'reset-mid-body', pages: [2] },
      ],
    });
    await expect(fetch(list(cutting, 1))).rejects.toThrow();
    const half = await fetch(list(cutting, 2));
    expect(half.status).toBe(200);
    await expect(half.text()).rejects.toThrow();
    expect(await text(list(cutting, 2))).toContain('</html>');
    await eventually(() => cutting.counts().inFlight === 0);
    expect(cutting.counts()).toMatchObject({ requests: 3, complete: 1, statuses: { none: 1, '200': 2 } });
  });

  test('429 and 503 say Retry-After in both forms', async () => {
    const limiting = await open({
      faults: [
        { kind: 'too-many-requests', pages: [1], retryAfterSeconds: 7 },
        { kind: 'server-error', status: 503, pages: [2], retryAfter: 'date', retryAfterSeconds: 60 },
        { kind: 'too-many-requests', pages: [3], retryAfter: 'none' },
      ],
    });
    const answers = await Promise.all([1, 2, 3].map(async (page) => fetch(list(limiting, page))));
    expect(answers.map(({ status }) => status)).toEqual([429, 503, 429]);
    const [seconds, date, none] = answers.map(({ headers }) => headers.get('retry-after'));
    expect(seconds).toBe('7');
    const ahead = Date.parse(date ?? '') - Date.now();
    expect(ahead).toBeGreaterThan(55_000);
    expect(ahead).toBeLessThan(62_000);
    expect(none).toBeNull();
  });

  test('slow and dripping answers take their time, and end when the client goes', async () => {
    const slow = await open({
      faults: [
        { kind: 'slow', pages: [1], delayMs: 300 },
        { kind: 'drip', pages: [2], bytesPerSecond: 100, attempts: 'always' },
      ],
    });
    const began = performance.now();
    await text(list(slow, 1));
    expect(performance.now() - began).toBeGreaterThan(290);
    const dripping = await fetch(list(slow, 2), { signal: AbortSignal.timeout(400) });
    await expect(dripping.text()).rejects.toThrow();
    await eventually(() => slow.counts().inFlight === 0);
    expect(slow.counts().paths['/goods/list?page=2']).toEqual({ requests: 1, complete: 0 });
  });

  test('pages come empty, redesigned, or with a wrong charset', async () => {
    const odd = await open({
      faults: [
        { kind: 'empty-list', pages: [1] },
        { kind: 'layout-change', pages: [2] },
        { kind: 'wrong-charset', pages: [3] },
        { kind: 'not-found', pages: [4], attempts: 'always' },
      ],
    });
    expect(await text(list(odd, 1))).not.toContain('goods-card');
    const redesigned = await text(list(odd, 2));
    expect(redesigned).not.toContain('goods-card');
    expect(redesigned).toContain('product-tile');
    expect((await fetch(list(odd, 3))).headers.get('content-type')).toContain('iso-8859-1');
    expect((await fetch(list(odd, 4))).status).toBe(404);
    expect((await fetch(list(odd, 4))).status).toBe(404);
  });
});

describe('what the shop counts', () => {
  test('requests, complete answers, concurrency, agents and times, the same by HTTP', async () => {
    const counting = await open({ faults: [{ kind: 'slow', delayMs: 100 }] });
    const headers = { 'user-agent': 'counter/1' };
    await Promise.all([1, 2, 3].map(async (page) => (await fetch(list(counting, page), { headers })).text()));
    await text(list(counting, 1));
    await eventually(() => counting.counts().inFlight === 0);
    const counts = counting.counts();
    expect(counts).toMatchObject({ requests: 4, complete: 4, maxInFlight: 3, faults: { slow: 3 } });
    expect(counts.userAgents['counter/1']).toBe(3);
    expect(counts.paths['/goods/list?page=1']).toEqual({ requests: 2, complete: 2 });
    expect(counts.times).toEqual(counts.times.toSorted((a, b) => a - b));
    expect(await (await fetch(`${counting.url}/-/stats`)).json()).toEqual(JSON.parse(JSON.stringify(counts)));
    expect(await (await fetch(`${counting.url}/-/stats?brief`)).json()).not.toHaveProperty('paths');

    await fetch(`${counting.url}/-/reset`, { method: 'POST' });
    expect(counting.counts()).toMatchObject({ requests: 0, complete: 0, paths: {}, times: [] });
  });

  test('faults can be changed while it runs', async () => {
    const changing = await open({});
    const body = JSON.stringify([{ kind: 'server-error', attempts: 'always' }]);
    expect((await fetch(`${changing.url}/-/faults`, { method: 'POST', body })).status).toBe(200);
    expect((await fetch(list(changing, 1))).status).toBe(500);
    const refused = await fetch(`${changing.url}/-/faults`, { method: 'POST', body: '[{"kind":"flood"}]' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('kind');
    expect((await fetch(list(changing, 1))).status).toBe(500);
  });

  test('stops with requests under way', async () => {
    const stopping = await open({ faults: [{ kind: 'slow', delayMs: 60_000 }] });
    const pending = expect(fetch(list(stopping, 1))).rejects.toThrow();
    await eventually(() => stopping.counts().inFlight === 1);
    await stopping.stop();
    await pending;
    await stopping.stop();
  });
});
