import { pageUrl } from '@dist-crawl/core/sites';
import { expect } from 'vitest';
import type { Cluster } from '../e2e/cluster.js';
import { runCrawl } from './processes.js';

export interface FullAudit {
  readonly queued: number;
  readonly done: number;
  readonly dead: number;
  readonly waiting: number;
  /** Queued once, and now nowhere. */
  readonly lost: readonly string[];
  /** Rows of one goods_url that are there more than once. */
  readonly duplicates: readonly string[];
}

export interface AuditOptions {
  /** Pages 1 to this number were queued. */
  readonly pages: number;
  /** Rows that the faults of a test took away from a page, by its number. */
  readonly missingRows?: ReadonlyMap<number, number>;
  /** The URLs that may be dead; default none. */
  readonly mayBeDead?: readonly number[];
  /** Default: nothing may be left. */
  readonly mayWait?: boolean;
}

/**
 * The promise, checked URL by URL and row by row: whatever was queued is done, dead with a reason, or waiting; the rows of
 * each page that is done are all in MySQL, once, and are those that the shop showed; `crawl doctor` finds nothing.
 */
export async function fullAudit(cluster: Cluster, options: AuditOptions): Promise<FullAudit> {
  const { frontier, redis, site, shop } = cluster;
  const { keys } = frontier;
  const pageOf = new Map(
    Array.from({ length: options.pages }, (_, index) => [String(pageUrl(site, index + 1)), index + 1]),
  );
  const [done, dead, pending] = await Promise.all(
    [keys.doneUrlSet, keys.deadUrlSet, keys.pendingUrlSet].map(async (key) => new Set(await redis.smembers(key))),
  );
  if (done === undefined || dead === undefined || pending === undefined) throw new Error('unreachable');
  const lost = [...pageOf.keys()].filter((url) => !done.has(url) && !dead.has(url) && !pending.has(url));
  const rows = await cluster.query("select goods_url, page_url from dist_crawl_goods where site = 'shop'");
  const seen = new Set<string>();
  const duplicates: string[] = [];
  const ofPage = new Map<string, string[]>();
  for (const { goods_url: goods, page_url: page } of rows) {
    if (seen.has(String(goods))) duplicates.push(String(goods));
    seen.add(String(goods));
    ofPage.set(String(page), [...(ofPage.get(String(page)) ?? []), new URL(String(goods)).pathname]);
  }
  const audit = { queued: pageOf.size, done: done.size, dead: dead.size, waiting: pending.size, lost, duplicates };
  expect(audit, 'something is lost, or there twice').toMatchObject({ lost: [], duplicates: [] });
  expect(
    [...done, ...dead, ...pending].filter((url) => !pageOf.has(url)),
    'URLs that nobody queued',
  ).toEqual([]);
  if (options.mayWait !== true) expect(pending.size, 'URLs still pending').toBe(0);

  const records = await cluster.query("select url from dist_crawl_pages where site = 'shop'");
  const saved = new Set(records.map(({ url }) => String(url)));
  expect(
    [...done].filter((url) => !saved.has(url)),
    'done, but not saved',
  ).toEqual([]);
  for (const url of done) {
    const page = pageOf.get(url) ?? 0;
    const expected = shop
      .expectedGoods(page)
      .map(({ path }) => path)
      .sort();
    const found = (ofPage.get(url) ?? []).sort();
    const missing = options.missingRows?.get(page) ?? 0;
    if (missing === 0) expect(found, `rows of page ${page}`).toEqual(expected);
    else expect(found.length, `rows of page ${page}`).toBe(expected.length - missing);
  }
  const letters = await cluster.query("select url, kind, last_error from dist_crawl_dead_urls where site = 'shop'");
  const explained = new Set(
    letters.filter((row) => row['kind'] !== '' && row['last_error'] !== '').map(({ url }) => String(url)),
  );
  expect(
    [...dead].filter((url) => !explained.has(url)),
    'dead without a reason',
  ).toEqual([]);
  const allowed = new Set(options.mayBeDead ?? []);
  expect(
    [...dead].filter((url) => !allowed.has(pageOf.get(url) ?? 0)),
    'dead without need',
  ).toEqual([]);

  expect((await frontier.audit()).violations).toEqual([]);
  const doctor = await runCrawl(cluster, 'doctor', '--json');
  expect(doctor.code, doctor.output).toBe(0);
  return audit;
}
