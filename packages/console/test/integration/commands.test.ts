import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  countDead,
  type CrawledPage,
  type Database,
  migrate,
  openDatabase,
  saveDead,
  withdrawDead,
  savePages,
} from '@dist-crawl/core/db';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import { connectRedis } from '@dist-crawl/core/redis';
import { siteSchema } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createRedrive } from '../../src/dead/redrive.js';
import { crawl, makeHome } from '../crawl.js';
import { createTestDatabase } from './test-database.js';

const namespace = `console-test:${randomBytes(4).toString('hex')}`;
const site = siteSchema.parse({ name: 'shop', namespace, base: 'http://shop.example', pace: { rate: 'none' } });
const redis = connectRedis({ url: inject('redisUrl'), name: 'console-test' });
let database: Database;
let frontier: Frontier;
let dropDatabase: () => Promise<void>;
let request = 0;

beforeAll(async () => {
  const created = await createTestDatabase(inject('databaseUrl'), 'console_commands');
  dropDatabase = created.drop;
  database = openDatabase({ url: created.url, poolSize: 2 });
  await migrate(database);
  const home = makeHome({
    'shop.yaml': `name: shop\nnamespace: ${namespace}\nbase: http://shop.example\npace: { rate: none }\n`,
    'other.yaml': `name: other\nnamespace: ${namespace}:other\nbase: http://other.example\n`,
  });
  vi.stubEnv('CRAWL_HOME', home);
  vi.stubEnv('SITES_DIR', home);
  vi.stubEnv('REDIS_URL', inject('redisUrl'));
  vi.stubEnv('DATABASE_URL', created.url);
});

beforeEach(async () => {
  const keys = await redis.keys(`${namespace}:*`);
  if (keys.length > 0) await redis.del(...keys);
  frontier = openFrontier(redis, site);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  redis.disconnect();
  await database.close();
  await dropDatabase();
});

const url = (path: string): CanonicalUrl => {
  const found = canonicalize(`http://shop.example/${path}`);
  if (found === null) throw new Error(path);
  return found;
};
const json = (lines: readonly string[]) => JSON.parse(lines[0] ?? '') as { sites: Record<string, unknown>[] };

/** Claims URLs, records them as dead and buries them, in the order in which a consumer does. */
async function die(urls: readonly CanonicalUrl[], kind = 'http-404'): Promise<void> {
  await frontier.intake.enqueue(urls);
  await frontier.leases.register('node-1~a~1');
  const claimed = await frontier.leases.claim('node-1~a~1', (request += 1), urls.length);
  if (claimed.kind !== 'tasks') throw new Error(claimed.kind);
  const now = new Date();
  const story = {
    kind,
    lastError: 'the server answered 404',
    status: 404,
    failures: 1,
    firstFailure: now,
    lastFailure: now,
  };
  await saveDead(
    database,
    claimed.tasks.map((task) => ({ site: 'shop', url: task.url, node: 'node-1', ...story })),
  );
  await frontier.leases.bury('node-1~a~1', claimed.tasks);
}

describe('status', () => {
  test('counts every state, groups workers by node and tells what died of what', async () => {
    await die([url('gone')]);
    await frontier.intake.enqueue([url('1'), url('2'), url('3')]);
    await frontier.leases.register('node-1~a~2');
    await frontier.leases.claim('node-1~a~2', (request += 1), 1);
    const { code, out, notes } = await crawl(['status', '--json']);
    expect([code, notes]).toEqual([0, []]);
    const [other, shop] = json(out).sites;
    expect(other).toMatchObject({ site: 'other', waiting: 0, nodes: [] });
    expect(shop).toMatchObject({
      site: 'shop',
      waiting: 2,
      inFlight: 1,
      pending: 3,
      done: 0,
      dead: 1,
      pagesPerSecond: 0,
      nodes: [{ node: 'node-1~a', tag: 'node-1', workers: 2, alive: true }],
      doneStore: { store: 'set' },
      deadByKind: { 'http-404': 1 },
    });
  });

  test('a broken site file leaves out its own site alone', async () => {
    const home = makeHome({
      'shop.yaml': `name: shop\nnamespace: ${namespace}\nbase: http://shop.example\n`,
      'broken.yaml': 'name: broken\nbase: nowhere\n',
    });
    vi.stubEnv('SITES_DIR', home);
    const { code, out } = await crawl(['status']);
    expect([code, out.join('\n')]).toEqual([0, expect.stringContaining('Left out, as their site files are wrong:')]);
    expect(out.join('\n')).toMatch(/broken\.yaml:2:7\s+base: "nowhere" is not one/u);
    const { sites, siteProblems } = JSON.parse((await crawl(['status', '--json'])).out[0] ?? '') as {
      sites: unknown[];
      siteProblems: unknown[];
    };
    expect([sites, siteProblems]).toMatchObject([[{ site: 'shop' }], [{ what: '"nowhere" is not one' }]]);
    expect((await crawl(['status', '--site', 'broken'])).code).toBe(78);
    expect((await crawl(['dead', 'list'])).code).toBe(78);
    vi.stubEnv('SITES_DIR', join(home, 'nowhere'));
    expect((await crawl(['status'])).code).toBe(78);
    vi.stubEnv('SITES_DIR', process.env['CRAWL_HOME']);
  });

  test('the rate is measured between two looks', async () => {
    await frontier.intake.enqueue([url('1')]);
    await frontier.leases.register('node-1~a~1');
    const looking = crawl(['status', '--site', 'shop', '--json']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const claimed = await frontier.leases.claim('node-1~a~1', (request += 1), 1);
    if (claimed.kind !== 'tasks') throw new Error(claimed.kind);
    await frontier.leases.complete(
      'node-1~a~1',
      claimed.tasks.map((task) => ({ ...task, rows: 24 })),
    );
    const [shop] = json((await looking).out).sites;
    expect(shop?.['pagesPerSecond']).toBeGreaterThan(0);
    expect(shop?.['pagesPerSecond']).toBeLessThanOrEqual(1);
  });

  test('--watch goes on until it is stopped, and then ends well', async () => {
    const stop = new AbortController();
    const watching = crawl(['status', '--site', 'shop', '--watch', '--json'], stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 3_500);
    const { code, out } = await watching;
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThanOrEqual(2);
  });

  test('without MySQL it still tells all but the kinds of dead URLs', async () => {
    await die([url('gone-too')]);
    const good = process.env['DATABASE_URL'];
    vi.stubEnv('DATABASE_URL', 'mysql://nobody:secret@127.0.0.1:1/none');
    const { code, out } = await crawl(['status', '--site', 'shop']);
    vi.stubEnv('DATABASE_URL', good);
    expect(code).toBe(0);
    expect(out.join('\n')).toContain('1 URL; MySQL, which knows why, does not answer');
    expect(out.join('\n')).not.toContain('secret');
  });
});

test('Redis that does not answer: code 69, the address and no password', async () => {
  const good = process.env['REDIS_URL'];
  vi.stubEnv('REDIS_URL', 'redis://:secret@127.0.0.1:1');
  const { code, out, notes } = await crawl(['status']);
  vi.stubEnv('REDIS_URL', good);
  expect([code, out]).toEqual([69, []]);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain('127.0.0.1:1');
  expect(notes[0]).not.toContain('secret');
});

test('pause holds a site until resume', async () => {
  await frontier.intake.enqueue([url('1')]);
  await frontier.leases.register('node-1~a~1');
  expect((await crawl(['pause', 'shop', '--reason', 'a sale'])).code).toBe(0);
  expect(await frontier.leases.claim('node-1~a~1', (request += 1), 1)).toMatchObject({
    kind: 'wait',
    reason: 'paused',
  });
  expect((await crawl(['status', '--site', 'shop'])).out.join('\n')).toContain('held: a sale');
  expect((await crawl(['resume', 'shop'])).out).toEqual(['shop goes on.']);
  expect(await frontier.leases.claim('node-1~a~1', (request += 1), 1)).toMatchObject({ kind: 'tasks' });
  expect((await crawl(['resume', 'shop'])).out).toEqual(['shop was not paused.']);
});

test('pace shows the pace, changes it for all nodes at once, and gives the site file its say again', async () => {
  await frontier.intake.enqueue(Array.from({ length: 20 }, (_, n) => url(String(n))));
  await frontier.leases.register('node-1~a~1');
  const claim = () => frontier.leases.claim('node-1~a~1', (request += 1), 10);
  expect((await crawl(['pace', 'shop'])).out).toEqual(['shop: no limit; 16 at once']);
  expect((await crawl(['pace', 'shop', '--rate', '30/h', '--concurrency', '3'])).out).toEqual([
    'shop: a page every 2 min for all nodes together, set by `crawl pace`; 3 at once',
  ]);
  expect(await claim()).toMatchObject({ kind: 'tasks', tasks: { length: 1 } });
  expect(await claim()).toMatchObject({ kind: 'wait', reason: 'pace' });
  expect((await crawl(['pace', 'shop', '--rate', 'none'])).out[0]).toContain(
    'no limit, set by `crawl pace`; 3 at once',
  );
  expect(await claim()).toMatchObject({ kind: 'tasks', tasks: { length: 2 } });
  const { pace } = json((await crawl(['status', '--site', 'shop', '--json'])).out).sites[0] ?? {};
  expect(pace).toEqual({ ratePerSecond: null, concurrency: 3, rateFrom: 'hand' });
  expect((await crawl(['pace', 'shop', '--reset'])).out).toEqual(['shop: no limit; 16 at once']);
});

describe('dead', () => {
  beforeEach(async () => {
    await crawl(['dead', 'redrive', '--all']);
    const keys = await redis.keys(`${namespace}:*`);
    if (keys.length > 0) await redis.del(...keys);
  });

  test('list tells why, for people and as JSON', async () => {
    await die([url('a'), url('b')]);
    await die([url('c')], 'http-410');
    const { out } = await crawl(['dead', 'list', '--site', 'shop', '--limit', '2']);
    expect(out.join('\n')).toContain('  http://shop.example/a\n  the server answered 404');
    expect(out.at(-1)).toBe('2 of 3 dead URLs (--limit shows more): http-404 2, http-410 1');
    const lines = (await crawl(['dead', 'list', '--kind', 'http-410', '--json'])).out;
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ url: url('c'), kind: 'http-410', node: 'node-1' }]);
    expect((await crawl(['dead', 'list', '--kind', '404'])).out).toEqual([
      'No dead URLs.',
      'There are of other kinds: http-404, http-410.',
    ]);
  });

  test('redrive queues those of one kind again and takes them off the list', async () => {
    await die([url('a'), url('b')]);
    await die([url('c')], 'http-410');
    const { out } = await crawl(['dead', 'redrive', '--kind', 'http-404']);
    expect(out).toEqual(['2 URLs queued again, with a clean record.']);
    expect(await countDead(database, { site: 'shop' })).toEqual({ total: 1, byKind: { 'http-410': 1 } });
    expect(await frontier.census()).toMatchObject({ waiting: 2, dead: 1, failed: 0 });
  });

  test('redrive of one URL leaves the others alone, and what is not dead', async () => {
    await die([url('a'), url('b')]);
    const { out } = await crawl(['dead', 'redrive', '--url', url('a'), '--url', url('never-seen')]);
    expect(out).toEqual(['1 URL queued again, with a clean record.', '1 URL is not dead: nothing done.']);
    expect(await frontier.census()).toMatchObject({ waiting: 1, dead: 1 });
    const refused = await crawl(['dead', 'redrive', '--url', 'http://nobody.example/']);
    expect([refused.code, refused.notes.join(' ')]).toEqual([78, expect.stringContaining('belongs to no site')]);
  });

  test('a URL that dies again while it is redriven keeps its new letter', async () => {
    await die([url('a')]);
    const redriven = frontier.retries.redrive.bind(frontier.retries);
    expect(await redriven([url('a')])).toEqual(['queued']);
    const later = new Date(Date.now() + 5_000);
    const story = {
      kind: 'timeout',
      lastError: '',
      status: null,
      failures: 5,
      firstFailure: later,
      lastFailure: later,
    };
    await saveDead(database, [{ site: 'shop', url: url('a'), node: 'node-1', ...story }]);
    await createRedrive(redis, database, site, new AbortController().signal).all(undefined);
    expect(await countDead(database, { site: 'shop' })).toEqual({ total: 1, byKind: { timeout: 1 } });
    await withdrawDead(database, [{ site: 'shop', url: url('a'), lastFailure: later }]);
  });

  test('a redrive that was killed after Redis and before MySQL is finished by the next one', async () => {
    await die([url('a'), url('b'), url('c')]);
    await frontier.retries.redrive([url('a'), url('b')]);
    const claimed = await frontier.leases.claim('node-1~a~1', (request += 1), 1);
    if (claimed.kind !== 'tasks') throw new Error(claimed.kind);
    await frontier.leases.complete(
      'node-1~a~1',
      claimed.tasks.map((task) => ({ ...task, rows: 1 })),
    );
    const counts = await createRedrive(redis, database, site, new AbortController().signal).all(undefined);
    expect(counts).toEqual({ queued: 1, pending: 1, done: 1, notDead: 0 });
    expect((await countDead(database, { site: 'shop' })).total).toBe(0);
    expect(await frontier.census()).toMatchObject({ waiting: 2, done: 1, dead: 0 });
  });

  test('a Redis that lost its memory gets the dead URLs back from MySQL', async () => {
    await die([url('a')]);
    await redis.del(frontier.keys.deadUrlSet);
    expect((await crawl(['dead', 'redrive', '--all'])).out[0]).toBe('1 URL queued again, with a clean record.');
    expect(await frontier.census()).toMatchObject({ waiting: 1, dead: 0 });
  });
});

describe('doctor', () => {
  test('finds nothing wrong with a crawl under way', async () => {
    await frontier.intake.enqueue([url('1'), url('2')]);
    const { code, out } = await crawl(['doctor', '--site', 'shop']);
    expect(code).toBe(0);
    expect(out).toContain('  ok       2 URLs checked: each stands in one place');
    expect(out.at(-1)).toContain('All is well.');
  });

  test('names a URL that stands where none may, and ends with 1', async () => {
    await frontier.intake.enqueue([url('1')]);
    await redis.srem(frontier.keys.pendingUrlSet, url('1'));
    const { code, out } = await crawl(['doctor', '--site', 'shop', '--json']);
    expect(code).toBe(1);
    const { healthy, findings } = JSON.parse(out[0] ?? '') as {
      healthy: boolean;
      findings: { level: string; details?: string[] }[];
    };
    expect(healthy).toBe(false);
    expect(findings.find(({ level }) => level === 'violated')?.details).toEqual([
      `${url('1')}: waiting, but not pending (invariant 1)`,
    ]);
  });

  test('--repair puts URLs where they belong, and tells what it did', async () => {
    await frontier.intake.enqueue([url('1'), url('2')]);
    await redis.srem(frontier.keys.pendingUrlSet, url('1'));
    await redis.sadd(frontier.keys.pendingUrlSet, url('3'));
    await frontier.leases.register('node-1~a~1');
    await frontier.leases.claim('node-1~a~1', (request += 1), 1);
    await redis.zrem(frontier.keys.workers, 'node-1~a~1');
    const { code, out } = await crawl(['doctor', '--site', 'shop', '--repair']);
    expect(code, out.join('\n')).toBe(0);
    const text = out.join('\n');
    expect(text).toContain('mended   1 URL of worker node-1~a~1, which is on no register');
    expect(text).toContain(`${url('3')}: waits in the queue now`);
    expect(text).toContain('All is well.');
    expect(await frontier.census()).toMatchObject({ waiting: 3, pending: 3, inFlight: 0 });
  });

  test('finds what is done without a page in MySQL; --repair queues it again, but not for want of a database', async () => {
    await redis.sadd(frontier.keys.doneUrlSet, url('lost'));
    const found = await crawl(['doctor', '--site', 'shop']);
    expect(found.code).toBe(1);
    expect(found.out.join(' ')).toContain('1 URL is done in Redis with no page in MySQL');
    const refused = await crawl(['doctor', '--site', 'shop', '--repair']);
    expect(refused.code).toBe(1);
    expect(refused.out.join(' ')).toContain('Nothing was queued again');
    expect((await frontier.census()).pending).toBe(0);

    await savePages(database, [page(url('kept'))]);
    await crawl(['doctor', '--site', 'shop', '--repair']);
    expect(await frontier.census()).toMatchObject({ waiting: 1, pending: 1 });
    await database.run((session) => session.execute('delete from dist_crawl_pages'));
  });

  test('sees that there are no tables, and makes none', async () => {
    const empty = await createTestDatabase(inject('databaseUrl'), 'console_empty');
    const good = process.env['DATABASE_URL'];
    vi.stubEnv('DATABASE_URL', empty.url);
    const first = await crawl(['doctor', '--site', 'shop']);
    const second = await crawl(['doctor', '--site', 'shop']);
    vi.stubEnv('DATABASE_URL', good);
    await empty.drop();
    expect([first.code, second.code]).toEqual([1, 1]);
    expect(second.out.join('\n')).toContain('WRONG    there are no tables');
  });
});

describe('rebuild', () => {
  test('writes what MySQL has as done or dead into an empty Redis, but leaves alone what is pending', async () => {
    await savePages(database, [page(url('1')), page(url('2'), url('2-final')), page(url('3'))]);
    await die([url('4')]);
    const keys = await redis.keys(`${namespace}:*`);
    await redis.del(...keys);
    await frontier.intake.enqueue([url('3')]);
    const { code, out } = await crawl(['rebuild', '--site', 'shop']);
    expect(code).toBe(0);
    expect(out).toEqual(['shop: 3 pages of MySQL are known as done, 1 dead URL added']);
    expect(await frontier.census()).toMatchObject({ done: 3, dead: 1, pending: 1 });
    const again = await frontier.intake.enqueue([url('1'), url('2'), url('2-final'), url('3'), url('4')]);
    expect(again).toMatchObject({ queued: 0, done: 3, dead: 1, pending: 1 });
    expect((await frontier.audit()).violations).toEqual([]);
    await database.run((session) => session.execute('delete from dist_crawl_pages'));
  });
});

function page(crawled: CanonicalUrl, finalUrl: CanonicalUrl | null = null): CrawledPage {
  return {
    site: 'shop',
    url: crawled,
    finalUrl,
    kind: 'page',
    outcome: 'ok',
    status: 200,
    bytes: 10,
    contentHash: null,
    crawlTime: new Date(),
    node: 'node-1',
    goods: [],
  };
}
