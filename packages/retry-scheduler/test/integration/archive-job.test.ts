import { isArchived, pendingArchive, type Database } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createArchiveJob } from '../../src/jobs/archive-job.js';
import { crawl, type Crawl, logger, never, openWorld, urlOf, type World } from './world.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-08-20T12:00:00Z');
const AFTER_DAYS = 30;
const OLD = new Date(NOW - 40 * DAY_MS);
const YOUNG = new Date(NOW - 20 * DAY_MS);
const AGAIN = new Date(NOW - 1_000);

class Crash extends Error {}

/** Calls `after` when a step was made that others can see, with its number from 1. */
function watched(
  database: Database,
  frontier: Frontier,
  after: (step: number) => Promise<void>,
): { database: Database; frontier: Frontier } {
  let steps = 0;
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    steps += 1;
    await after(steps);
    return result;
  };
  const { doneStore } = frontier;
  return {
    database: {
      ...database,
      run: (work, options) => step(database.run(work, options)),
      transaction: (work, options) => step(database.transaction(work, options)),
    },
    frontier: {
      ...frontier,
      doneStore: {
        ...doneStore,
        forget: (urls) => step(doneStore.forget(urls)),
        remember: (urls) => step(doneStore.remember(urls)),
        dropGenerationsBefore: (month) => step(doneStore.dropGenerationsBefore(month)),
      },
    },
  };
}

describe('the archive job', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('archive_job');
  });
  afterAll(async () => {
    await world.close();
  });

  const jobOf = (site: { database: Database; frontier: Frontier }) =>
    createArchiveJob({ ...site, afterDays: AFTER_DAYS, logger, batchSize: 3 });
  const doneOf = async (frontier: Frontier) => new Set(await world.redis.smembers(frontier.keys.doneUrlSet));

  const target = 'http://shop.test/target' as CanonicalUrl;
  const old = [1, 2, 3, 4, 5].map(urlOf);
  const all = [...old, target, urlOf(6), urlOf(7)];

  /** Page 2 redirects. */
  const visit = (url: CanonicalUrl, time: Date): Crawl =>
    url === urlOf(2) ? { url, time, finalUrl: target } : { url, time };

  async function newShop(): Promise<Frontier> {
    const frontier = world.newSite({ clock: () => NOW });
    await crawl(
      world,
      frontier,
      ...old.map((url) => visit(url, OLD)),
      ...[urlOf(6), urlOf(7)].map((url) => visit(url, YOUNG)),
    );
    return frontier;
  }

  /** URLs that neither Redis nor MySQL knows. */
  async function unknown(frontier: Frontier): Promise<string[]> {
    // MySQL first: what leaves the archive must have come to the set before.
    const archived = await isArchived(world.database, frontier.site, all);
    const done = await doneOf(frontier);
    return all.filter((url) => !archived.has(url) && !done.has(url));
  }

  it('moves old URLs with their redirect targets to MySQL, and leaves young ones in Redis', async () => {
    const frontier = await newShop();
    const report = await jobOf({ database: world.database, frontier }).runOnce(never);
    expect(report).toEqual({ archived: 5, restored: 0, layers: [], finished: true });
    expect(await doneOf(frontier)).toEqual(new Set([urlOf(6), urlOf(7)]));
    expect(await isArchived(world.database, frontier.site, all)).toEqual(new Set([...old, target]));
    expect(await jobOf({ database: world.database, frontier }).runOnce(never)).toEqual({
      archived: 0,
      restored: 0,
      layers: [],
      finished: true,
    });
  });

  it('can crash after any step: no URL is unknown at any moment, and the next run ends the work', async () => {
    let crashes = 0;
    for (let at = 1; ; at += 1) {
      const frontier = await newShop();
      const site = watched(world.database, frontier, async (step) => {
        expect(await unknown(frontier)).toEqual([]);
        if (step === at) throw new Crash();
      });
      const first = await jobOf(site)
        .runOnce(never)
        .catch((error: unknown) => error);
      if (!(first instanceof Crash)) {
        expect(first).toMatchObject({ finished: true });
        break;
      }
      crashes += 1;
      expect(await unknown(frontier)).toEqual([]);
      expect(await jobOf({ database: world.database, frontier }).runOnce(never)).toMatchObject({ finished: true });
      expect(await doneOf(frontier)).toEqual(new Set([urlOf(6), urlOf(7)]));
      expect(await isArchived(world.database, frontier.site, all)).toEqual(new Set([...old, target]));
      expect(await pendingArchive(world.database, frontier.site, 10)).toEqual([]);
    }
    // Two batches of six steps each, and what comes before and after.
    expect(crashes).toBeGreaterThan(12);
  });

  it('keeps a URL that is crawled again between any two steps', async () => {
    for (const url of [urlOf(1), urlOf(2)]) {
      for (let at = 1; ; at += 1) {
        const frontier = await newShop();
        let crawled = false;
        const site = watched(world.database, frontier, async (step) => {
          if (step === at) {
            await crawl(world, frontier, visit(url, AGAIN));
            crawled = true;
          }
          expect(await unknown(frontier)).toEqual([]);
        });
        expect(await jobOf(site).runOnce(never)).toMatchObject({ finished: true });
        if (!crawled) break;
        const again = url === urlOf(2) ? [url, target] : [url];
        expect(await doneOf(frontier)).toEqual(new Set([...again, urlOf(6), urlOf(7)]));
        const archived = await isArchived(world.database, frontier.site, all);
        expect(archived).toEqual(new Set([...old, target].filter((each) => !again.includes(each))));
      }
    }
  });

  it('stops after the batch in hand when it is told to, and goes on in the next run', async () => {
    const frontier = await newShop();
    const stop = new AbortController();
    const { doneStore } = frontier;
    const stopping: Frontier = {
      ...frontier,
      doneStore: {
        ...doneStore,
        forget: (batch) => {
          stop.abort();
          return doneStore.forget(batch);
        },
      },
    };
    const report = await jobOf({ database: world.database, frontier: stopping }).runOnce(stop.signal);
    expect(report).toEqual({ archived: 3, restored: 0, layers: [], finished: false });
    expect(await pendingArchive(world.database, frontier.site, 10)).toEqual([]);
    expect(await jobOf({ database: world.database, frontier }).runOnce(never)).toMatchObject({ archived: 2 });
  });

  it('drops a Bloom generation when all its pages are archived, and still knows those crawled again since', async () => {
    let now = Date.parse('2026-05-10T00:00:00Z');
    const frontier = world.newSite({
      dedup: { store: 'bloom', errorRate: 1e-6, initialCapacity: 100 },
      clock: () => now,
    });
    const crawlNow = (number: number) => crawl(world, frontier, { url: urlOf(number), time: new Date(now) });
    const layers = async () => (await frontier.census()).bloom.map(({ name }) => name.slice(0, 7)).sort();
    const isDone = async (number: number) => (await frontier.intake.enqueue([urlOf(number)])).done === 1;
    const job = jobOf({ database: world.database, frontier });

    for (const number of [1, 2, 3]) await crawlNow(number);
    now = Date.parse('2026-06-10T00:00:00Z');
    await crawlNow(2);
    await crawlNow(4);
    expect(await layers()).toEqual(['2026-05', '2026-06']);

    // The cutoff lies in May: its last pages may be younger.
    now = Date.parse('2026-06-25T00:00:00Z');
    expect(await job.runOnce(never)).toMatchObject({ archived: 2, layers: [] });
    expect(await isDone(1)).toBe(true);

    now = Date.parse('2026-07-02T00:00:00Z');
    expect(await job.runOnce(never)).toMatchObject({ archived: 0, layers: ['2026-05.0'], finished: true });
    expect(await layers()).toEqual(['2026-06']);
    expect(await isArchived(world.database, frontier.site, [1, 2, 3, 4].map(urlOf))).toEqual(
      new Set([urlOf(1), urlOf(3)]),
    );
    expect([await isDone(2), await isDone(4)]).toEqual([true, true]);
    expect(await job.runOnce(never)).toEqual({ archived: 0, restored: 0, layers: [], finished: true });
  });
});
