import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import { connectRedis } from '@dist-crawl/core/redis';
import { type Site, siteSchema } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { eventually } from '@dist-crawl/testbed';
import type { Round } from '../../src/round.js';
import { pageRangeSource } from '../../src/sources/page-range.js';
import type { Source } from '../../src/sources/source.js';
import { type Shard, WHOLE } from '../../src/shard.js';
import { startRound } from './start-round.js';

const redis = connectRedis({ url: inject('redisUrl'), name: 'test' });
let site: Site;
let frontier: Frontier;

beforeEach(() => {
  const namespace = `test:producer:${randomBytes(6).toString('hex')}`;
  site = siteSchema.parse({ name: 'shop', namespace, base: 'http://shop.test', pages: '/list?page={page}' });
  frontier = openFrontier(redis, site);
});

afterAll(() => redis.disconnect());

const url = (page: number) => `http://shop.test/list?page=${page}` as CanonicalUrl;
const urls = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => url(first + index));
/** First in, first out. */
const queued = async () => (await redis.lrange(frontier.keys.taskQueue, 0, -1)).toReversed();

function pages(first: number, last: number, shard: Shard = WHOLE): Source {
  return pageRangeSource(site, [{ first, last }], shard);
}

const start = (source: Source, changes: Partial<Round> = {}) => startRound(site, frontier, source, changes);

/** A stand-in for a consumer: takes tasks and completes them, at once. Returns their URLs. */
async function crawl(count: number): Promise<string[]> {
  const { leases } = openFrontier(redis, { ...site, pace: { ratePerSecond: null, burst: 1, concurrency: 1000 } });
  const worker = `worker:${randomBytes(6).toString('hex')}`;
  await leases.register(worker);
  const crawled: string[] = [];
  for (let request = 1; crawled.length < count; request++) {
    const claim = await leases.claim(worker, request, Math.min(8, count - crawled.length));
    if (claim.kind !== 'tasks') throw new Error(claim.kind);
    await leases.complete(
      worker,
      claim.tasks.map(({ url: crawledUrl, token }) => ({ url: crawledUrl, token, rows: 0 })),
    );
    crawled.push(...claim.tasks.map((task) => task.url));
  }
  return crawled;
}

describe('a round', () => {
  test('queues each page once, in order', async () => {
    const round = start(pages(1, 120));
    expect(await round.ended).toBe('finished');
    expect(round.tally.figures()).toEqual({ queued: 120, pending: 0, done: 0, dead: 0, archived: 0 });
    expect(await queued()).toEqual(urls(1, 120));
  });

  test('that is run twice queues nothing the second time', async () => {
    await start(pages(1, 120)).ended;
    const again = start(pages(1, 120));
    await again.ended;
    expect(again.tally.figures()).toMatchObject({ queued: 0, pending: 120 });
    expect(await queued()).toHaveLength(120);
  });

  test('beside another one over the same pages: each page is queued by one of them', async () => {
    const rounds = [start(pages(1, 1500)), start(pages(501, 2000), { batchSize: 70 })];
    await Promise.all(rounds.map(({ ended }) => ended));
    expect(rounds.reduce((sum, { tally }) => sum + tally.queued, 0)).toBe(2000);
    expect(new Set(await queued())).toEqual(new Set(urls(1, 2000)));
    expect(await queued()).toHaveLength(2000);
  });

  test('of shard 1/2 and one of 2/2 make the whole, without overlap', async () => {
    const rounds = [1, 2].map((index) => start(pages(1, 1001, { index, count: 2 })));
    await Promise.all(rounds.map(({ ended }) => ended));
    expect(rounds.map(({ tally }) => tally.figures())).toEqual([
      { queued: 501, pending: 0, done: 0, dead: 0, archived: 0 },
      { queued: 500, pending: 0, done: 0, dead: 0, archived: 0 },
    ]);
    expect(new Set(await queued())).toEqual(new Set(urls(1, 1001)));
  });

  test('skips what is done, but for a fresh one', async () => {
    await start(pages(1, 10)).ended;
    await crawl(10);
    const again = start(pages(1, 12));
    await again.ended;
    expect(again.tally.figures()).toMatchObject({ queued: 2, done: 10 });
    const fresh = start(pages(1, 12), { fresh: true });
    await fresh.ended;
    expect(fresh.tally.figures()).toMatchObject({ queued: 10, pending: 2, done: 0 });
  });

  test('skips what is archived, where it can know', async () => {
    const round = start(pages(1, 10), { archived: async () => new Set([url(3), url(4)]) });
    await round.ended;
    expect(round.tally.figures()).toMatchObject({ queued: 8, archived: 2 });
    expect(await queued()).not.toContain(url(3));
  });

  test('counts what it refuses by reason', async () => {
    const source: Source = {
      name: 'list',
      total: undefined,
      async *candidates() {
        for (const text of [
          url(1),
          'http://other.test/',
          'mailto:a@b',
          '/list',
          `http://shop.test/${'x'.repeat(3000)}`,
        ]) {
          yield { text };
        }
      },
    };
    const round = start(source);
    await round.ended;
    expect(round.tally.figures()).toMatchObject({
      queued: 1,
      'out-of-scope': 1,
      'not-http': 1,
      invalid: 1,
      'too-long': 1,
    });
  });

  test('waits at the high-water mark, and goes on as the queue is worked off', async () => {
    const round = start(pages(1, 300), { highWater: 40 });
    await eventually(() => round.tally.waitsFor !== undefined);
    expect(await queued()).toEqual(urls(1, 40));
    const crawled: string[] = [];
    while (crawled.length < 300) {
      await eventually(async () => (await queued()).length > 0);
      const waiting = (await queued()).length;
      expect(waiting).toBeLessThanOrEqual(40);
      crawled.push(...(await crawl(waiting)));
    }
    expect(await round.ended).toBe('finished');
    expect(crawled).toEqual(urls(1, 300));
    expect(round.tally.figures()).toMatchObject({ queued: 300, pending: 0 });
    expect(round.tally.waitsFor).toBeUndefined();
  });

  test('is under way for Redis from before its first URL until its end', async () => {
    const round = start(pages(1, 300), { highWater: 40 });
    await eventually(async () => (await queued()).length > 0);
    expect((await frontier.census()).rounds).toBe(1);
    round.stop();
    expect(await round.ended).toBe('stopped');
    expect((await frontier.census()).rounds).toBe(0);
  });

  test('that is stopped says how far it came, and another one goes on from there', async () => {
    const round = start(pages(1, 300), { highWater: 70 });
    await eventually(() => round.tally.waitsFor !== undefined);
    round.stop();
    expect(await round.ended).toBe('stopped');
    expect(round.tally).toMatchObject({ queued: 70, dealt: 70, reached: url(70) });
    const next = start(pages(1, 300));
    await next.ended;
    expect(next.tally.figures()).toMatchObject({ queued: 230, pending: 70 });
  });

  test('that fails is no longer under way', async () => {
    const source: Source = {
      name: 'list',
      total: undefined,
      async *candidates() {
        yield { text: url(1) };
        throw new Error('the disk is gone');
      },
    };
    await expect(start(source).ended).rejects.toThrow('the disk is gone');
    expect((await frontier.census()).rounds).toBe(0);
  });
});
