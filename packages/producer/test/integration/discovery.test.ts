import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import { connectRedis } from '@dist-crawl/core/redis';
import { type Site, siteSchema } from '@dist-crawl/core/sites';
import { eventually } from '@dist-crawl/testbed';
import { ownPace, sharedPace } from '../../src/manners.js';
import type { Round } from '../../src/round.js';
import { entriesSource } from '../../src/sources/entries.js';
import { pageRangeSource } from '../../src/sources/page-range.js';
import { sitemapSource } from '../../src/sources/sitemap.js';
import type { Source } from '../../src/sources/source.js';
import { WHOLE } from '../../src/shard.js';
import { logger, startRound } from './start-round.js';

const redis = connectRedis({ url: inject('redisUrl'), name: 'test' });
let server: Server;
let site: Site;
let frontier: Frontier;
let asked: { path: string; at: number }[];
let serve: Record<string, string | Buffer>;

const answer: RequestListener = ({ url = '/' }, response) => {
  asked.push({ path: url, at: performance.now() });
  const body = serve[url];
  response.writeHead(body === undefined ? 404 : 200).end(body);
};

beforeEach(async () => {
  asked = [];
  serve = {};
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  open({});
});
afterAll(() => redis.disconnect());

function open(changes: object): void {
  const namespace = `test:producer:${randomBytes(6).toString('hex')}`;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fixed = { name: 'shop', namespace, base, pages: '/list?page={page}', allowPrivateAddresses: true };
  site = siteSchema.parse({ ...fixed, pace: { rate: 'none' }, ...changes });
  frontier = openFrontier(redis, site);
}

const at = (path: string) => new URL(path, site.base).href;
const queued = async () => (await redis.lrange(frontier.keys.taskQueue, 0, -1)).toReversed();

const start = (source: Source, changes: Partial<Round> = {}) => startRound(site, frontier, source, changes);

const sitemaps = (shard = WHOLE) =>
  sitemapSource(site, { start: 'listed', shard }, { place: sharedPace(frontier.reserve, logger), env: {}, logger });

const urlset = (paths: readonly string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${path}</loc></url>`).join('')}</urlset>`;
const index = (paths: readonly string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${at(path)}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('sitemaps', () => {
  test('that robots.txt names are read whole: indexes, gzip, feeds and lists; each refusal is counted', async () => {
    serve = {
      '/robots.txt': `User-agent: *\nDisallow: /secret\nSitemap: ${at('/index.xml')}\nSitemap: ${at('/list.txt')}\n`,
      '/index.xml': index(['/a.xml.gz', '/feed', '/secret.xml', '/gone.xml']),
      '/a.xml.gz': gzipSync(urlset([at('/1'), at('/2'), 'http://elsewhere.example/3', 'nonsense:'])),
      '/feed': `<rss><channel><item><link>${at('/4')}</link></item></channel></rss>`,
      '/list.txt': `${at('/5')}\n${at('/1')}\n`,
      '/secret.xml': urlset([at('/never')]),
    };
    const round = start(sitemaps());
    expect(await round.ended).toBe('finished');
    expect(new Set(await queued())).toEqual(new Set(['/1', '/2', '/4', '/5'].map(at)));
    expect(round.tally.figures()).toMatchObject({ queued: 4, pending: 1, 'out-of-scope': 1, invalid: 1 });
    expect(asked.map(({ path }) => path)).not.toContain('/secret.xml');
  });

  test('are looked for at /sitemap.xml where none is named; none at all is an error', async () => {
    serve = { '/sitemap.xml': urlset([at('/1')]) };
    await start(sitemaps()).ended;
    expect(await queued()).toEqual([at('/1')]);
    serve = {};
    await expect(start(sitemaps()).ended).rejects.toThrow(/shop: no sitemap could be read \(.*sitemap\.xml: .*404/u);
  });

  test('are asked for at places of the site’s pace, and not while it is paused', async () => {
    open({ pace: { rate: '10/s' } });
    serve = {
      '/sitemap.xml': index(['/a.xml', '/b.xml', '/c.xml']),
      ...Object.fromEntries(['/a.xml', '/b.xml', '/c.xml'].map((path) => [path, urlset([at(`${path}/page`)])])),
    };
    await frontier.operator.hold('by hand');
    const round = start(sitemaps());
    await eventually(() => asked.length > 0);
    await new Promise((done) => setTimeout(done, 300));
    expect(asked.map(({ path }) => path)).toEqual(['/robots.txt']);
    await frontier.operator.resume();
    expect(await round.ended).toBe('finished');
    const times = asked.filter(({ path }) => path !== '/robots.txt').map(({ at: time }) => time);
    expect(times).toHaveLength(4);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(250);
  });

  test('in a dry run keep the same pace without Redis', async () => {
    const place = ownPace({ ...site, pace: { ...site.pace, ratePerSecond: 20 } });
    const begun = performance.now();
    for (let request = 0; request < 4; request += 1) await place(new AbortController().signal);
    expect(performance.now() - begun).toBeGreaterThan(140);
  });

  test('of any size wait where the queue is full, and end when told to', async () => {
    serve = { '/sitemap.xml': urlset(Array.from({ length: 20_000 }, (_, number) => at(`/${number}`))) };
    const round = start(sitemaps(), { highWater: 300 });
    await eventually(() => round.tally.waitsFor !== undefined);
    expect(await queued()).toHaveLength(300);
    round.stop();
    expect(await round.ended).toBe('stopped');
  });

  test('are shared by shards without overlap', async () => {
    serve = { '/sitemap.xml': urlset(Array.from({ length: 101 }, (_, number) => at(`/${number}`))) };
    const rounds = [1, 2].map((part) => start(sitemaps({ index: part, count: 2 })));
    await Promise.all(rounds.map(({ ended }) => ended));
    expect(rounds.map(({ tally }) => [tally.queued, tally.pending])).toEqual([
      [51, 0],
      [50, 0],
    ]);
  });
});

describe('entry pages', () => {
  test('are queued, each once, and no page is asked for', async () => {
    open({ entries: ['/', '/category/tea?utm_source=x', '/category/tea'] });
    await start(entriesSource(site, WHOLE)).ended;
    expect(await queued()).toEqual([at('/'), at('/category/tea')]);
    expect(asked).toEqual([]);
  });
});

describe('a range that may end', () => {
  const untilEmpty = (inARow: number) => ({ untilEmpty: { inARow, ranges: frontier.ranges } });

  /** A stand-in for consumers: crawls what waits until told; pages beyond `last` are missing. */
  function crawl(last: number): () => Promise<void> {
    const control = new AbortController();
    const worker = `worker:${randomBytes(6).toString('hex')}`;
    const work = async (): Promise<void> => {
      await frontier.leases.register(worker);
      for (let request = 1; !control.signal.aborted; request += 1) {
        const claim = await frontier.leases.claim(worker, request, 7);
        if (claim.kind !== 'tasks') {
          await new Promise((done) => setTimeout(done, 10));
          continue;
        }
        for (const { url, record } of claim.tasks.toReversed()) {
          const page = Number(new URL(url).searchParams.get('page'));
          await frontier.ranges.note(page, page > last ? 'missing' : { goods: `g${page}` }, record.mayEnd);
        }
        await frontier.leases.complete(
          worker,
          claim.tasks.map((task) => ({ ...task, rows: 0 })),
        );
      }
    };
    const ended = work();
    return () => {
      control.abort();
      return ended;
    };
  }

  test('ends soon after its last page, for each of two shards', async () => {
    const stop = crawl(333);
    const shards = [1, 2].map((part) =>
      pageRangeSource(site, [{ first: 1, last: 100_000 }], { index: part, count: 2 }),
    );
    const rounds = shards.map((source) => start(source, untilEmpty(5)));
    for (const { ended } of rounds) expect(await ended).toBe('finished');
    await stop();
    expect(rounds.map(({ tally }) => tally.ended?.from)).toEqual([335, 334]);
    for (const { tally } of rounds) expect(tally.queued).toBeLessThan(333 / 2 + 140);
  });

  test('goes to its last page where none is missing', async () => {
    const stop = crawl(1_000);
    const round = start(pageRangeSource(site, [{ first: 1, last: 400 }], WHOLE), untilEmpty(5));
    expect(await round.ended).toBe('finished');
    await stop();
    expect([round.tally.queued, round.tally.ended]).toEqual([400, undefined]);
  });

  test('does not run ahead of a crawl that stands, and ends when told to', async () => {
    const round = start(pageRangeSource(site, [{ first: 1, last: 5_000 }], WHOLE), untilEmpty(5));
    await eventually(() => round.tally.waitsFor !== undefined);
    expect((await queued()).length).toBeLessThanOrEqual(125);
    round.stop();
    expect(await round.ended).toBe('stopped');
  });

  test('ends at once the next time, unless it is crawled afresh', async () => {
    const stop = crawl(40);
    const range = () => pageRangeSource(site, [{ first: 1, last: 9_999 }], WHOLE);
    await start(range(), untilEmpty(3)).ended;
    const again = start(range(), untilEmpty(3));
    await again.ended;
    expect([again.tally.queued, again.tally.ended?.from]).toEqual([0, 41]);
    await stop();
    const grown = crawl(60);
    const fresh = start(range(), { ...untilEmpty(3), fresh: true });
    await fresh.ended;
    await grown();
    expect(fresh.tally.ended?.from).toBe(61);
  });
});
