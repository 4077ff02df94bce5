import { migrate, openDatabase, savePages, type Database } from '@dist-crawl/core/db';
import { openFrontier, type Dedup, type Frontier } from '@dist-crawl/core/frontier';
import { createSilentLogger } from '@dist-crawl/core/logging';
import { connectRedis, type RedisClient } from '@dist-crawl/core/redis';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { startServers } from '@dist-crawl/testbed';
import { inject } from 'vitest';

export const logger = createSilentLogger();
export const never = new AbortController().signal;

/** Redis and a database of one test file's own. */
export interface World {
  readonly redis: RedisClient;
  readonly database: Database;
  readonly databaseUrl: string;
  /** A site in a namespace that no other test has. */
  newSite(options?: { dedup?: Dedup; clock?: () => number; name?: string }): Frontier;
  close(): Promise<void>;
}

/** @param given - default: the servers of the whole run */
export async function openWorld(
  databaseName: string,
  given: { redisUrl: string; databaseUrl: string } = {
    redisUrl: inject('redisUrl'),
    databaseUrl: inject('databaseUrl'),
  },
): Promise<World> {
  const servers = await startServers(given);
  const databaseUrl = await servers.mysql.createDatabase(databaseName);
  await servers.stop();
  const redis = connectRedis({ url: given.redisUrl, name: databaseName });
  const database = openDatabase({ url: databaseUrl, poolSize: 4 });
  await migrate(database);
  let sites = 0;
  return {
    redis,
    database,
    databaseUrl,
    newSite({ dedup = { store: 'set' as const }, clock, name } = {}) {
      sites += 1;
      const pace = { ratePerSecond: null, burst: 1, concurrency: 1000 };
      const namespace = `test:${databaseName}:${process.pid}:${sites}`;
      const site = { name: name ?? `shop-${sites}`, namespace, pace, dedup };
      return openFrontier(redis, site, clock === undefined ? {} : { clock });
    },
    async close() {
      redis.disconnect();
      await database.close();
    },
  };
}

export function urlOf(number: number): CanonicalUrl {
  return `http://shop.test/list?page=${number}` as CanonicalUrl;
}

export function urls(count: number, first = 1): CanonicalUrl[] {
  return Array.from({ length: count }, (_, index) => urlOf(first + index));
}

/** Queues what is not known, claims all that waits, and fails it. Returns how many failed. */
export async function failWaiting(frontier: Frontier, kind = 'http-500'): Promise<number> {
  const worker = 'node-a~1';
  await frontier.leases.register(worker);
  let failed = 0;
  for (let request = 1; ; request += 1) {
    const claimed = await frontier.leases.claim(worker, Date.now() + request, 200);
    if (claimed.kind !== 'tasks') return failed;
    for (const task of claimed.tasks) {
      const failure = { kind, message: `HTTP 500 from ${task.url}`, status: 500, node: 'node-a' };
      const { status } = await frontier.leases.fail(worker, task, failure);
      if (status === 'failed') failed += 1;
    }
  }
}

/** A page that was crawled. */
export interface Crawl {
  readonly url: CanonicalUrl;
  readonly time: Date;
  readonly finalUrl?: CanonicalUrl;
}

/** Pages crawled and saved: their rows in MySQL, then their URLs in the done store. */
export async function crawl({ database }: World, frontier: Frontier, ...pages: readonly Crawl[]): Promise<void> {
  await savePages(
    database,
    pages.map(({ url, time, finalUrl = null }) => ({
      site: frontier.site,
      url,
      finalUrl,
      kind: 'list',
      outcome: 'ok',
      status: 200,
      bytes: 1000,
      contentHash: null,
      crawlTime: time,
      node: 'node-a',
      goods: [],
    })),
  );
  await frontier.doneStore.remember(
    pages.flatMap(({ url, finalUrl }) => (finalUrl === undefined ? [url] : [url, finalUrl])),
  );
}
