import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '@dist-crawl/core/config';
import { openDatabase, summary, type Database, type SiteSummary } from '@dist-crawl/core/db';
import { openFrontier, type Frontier } from '@dist-crawl/core/frontier';
import { connectRedis, type RedisClient } from '@dist-crawl/core/redis';
import { loadSiteFile, type Site } from '@dist-crawl/core/sites';
import {
  createDatabase,
  eventually,
  querySql,
  spawnDaemon,
  startShop,
  type Daemon,
  type Shop,
  type ShopOptions,
} from '@dist-crawl/testbed';
import { expect, inject } from 'vitest';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const entry = (name: string): string => join(packages, name, 'dist/main.js');

export interface ClusterOptions {
  readonly shop?: ShopOptions;
  /** Lines of the site file besides name, namespace, base and goods. */
  readonly site?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where the site's pages are, given the shop's URL; default: there. */
  readonly base?: (shopUrl: string) => Promise<string> | string;
  /** Fields of a card besides the usual ones: `name: selector`. */
  readonly fields?: readonly string[];
  /** Servers of its own instead of those of the test run; `redis` as REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER names it. */
  readonly redisUrl?: string;
  readonly redis?: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
}

/** A shop, a site file, a database and daemons, as a user would have them; all of it gone after `stop`. */
export interface Cluster {
  readonly shop: Shop;
  readonly site: Site;
  readonly sitesDir: string;
  readonly redis: RedisClient;
  readonly database: Database;
  readonly frontier: Frontier;
  /** For a daemon started by hand. */
  readonly env: Readonly<Record<string, string | undefined>>;
  producer(...args: string[]): Promise<Daemon>;
  /** Runs a producer to its end, which must be a good one. */
  produce(...args: string[]): Promise<readonly string[]>;
  consumer(nodeTag: string, options?: { args?: readonly string[]; env?: Record<string, string> }): Promise<Daemon>;
  scheduler(env?: Record<string, string>): Promise<Daemon>;
  summary(): Promise<SiteSummary>;
  /** Rows of the cluster's database. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Waits until nothing is pending. */
  finished(timeoutMs?: number): Promise<void>;
  /** The last lines of all daemons, for messages. */
  tail(): string;
  stop(): Promise<void>;
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const shop = await startShop(options.shop ?? {});
  const folder = mkdtempSync(join(tmpdir(), 'dist-crawl-e2e-'));
  const sitesDir = join(folder, 'sites');
  mkdirSync(sitesDir);
  const id = randomUUID().slice(0, 8);
  const file = join(sitesDir, 'shop.yaml');
  writeFileSync(
    file,
    [
      'name: shop',
      `namespace: e2e:${id}`,
      `base: ${(await options.base?.(shop.url)) ?? shop.url}`,
      'pages: /goods/list?page={page}',
      'allowPrivateAddresses: true',
      ...(options.site ?? ['pace: { rate: 1000/s, concurrency: 64 }']),
      'goods:',
      '  each: .goods-card',
      `  fields: { ${['goods_url: a@href', 'goods_name: .title', 'price: .price', ...(options.fields ?? [])].join(', ')} }`,
      '',
    ].join('\n'),
  );
  const { site } = loadSiteFile(file);
  const redisEnv = options.redis ?? { REDIS_URL: options.redisUrl ?? inject('redisUrl') };
  const databaseUrl = options.databaseUrl ?? (await createDatabase(inject('databaseUrl'), `e2e_${id}`));
  const redis = connectRedis({
    ...loadConfig('console', { env: { ...redisEnv, DATABASE_URL: databaseUrl }, home: folder }).redis,
    name: 'e2e',
  });
  const database = openDatabase({ url: databaseUrl, poolSize: 2 });
  const frontier = openFrontier(redis, site);
  const daemons: Daemon[] = [];
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    CRAWL_HOME: folder,
    SITES_DIR: sitesDir,
    ...redisEnv,
    DATABASE_URL: databaseUrl,
    DRAIN_DEADLINE: '10s',
    ...options.env,
  };
  const start = async (
    name: string,
    program: string,
    args: readonly string[],
    more: Record<string, string>,
  ): Promise<Daemon> => {
    const daemon = await spawnDaemon({ name, entry: entry(program), args, env: { ...env, ...more }, cwd: folder });
    daemons.push(daemon);
    return daemon;
  };
  const cluster: Cluster = {
    shop,
    site,
    sitesDir,
    redis,
    database,
    frontier,
    env,
    producer: (...args) => start('producer', 'producer', args, {}),
    async produce(...args) {
      const daemon = await cluster.producer(...args);
      const { code } = await daemon.exited;
      expect(code, daemon.lines().slice(-10).join('\n')).toBe(0);
      return daemon.lines();
    },
    consumer: (nodeTag, { args = [], env: more = {} } = {}) =>
      start(nodeTag, 'consumer', args, { PROCESS_NUM: '2', CONCURRENCY: '8', ...more, NODE_TAG: nodeTag }),
    scheduler: (more = {}) =>
      start('retry-scheduler', 'retry-scheduler', [], { RETRY_CRON: '* * * * * *', RECOVER_EVERY: '1s', ...more }),
    summary: () => summary(database, site.name),
    query: (text) => querySql(databaseUrl, text),
    async finished(timeoutMs = 60_000) {
      const dead = (): string =>
        daemons
          .filter((daemon) => (daemon.exit()?.code ?? 0) !== 0)
          .map((daemon) => `${daemon.name}:\n${daemon.lines().slice(-15).join('\n')}`)
          .join('\n');
      await eventually(async () => (await frontier.census()).pending === 0, { timeoutMs, everyMs: 100 }).catch(
        async (error: unknown) => {
          const census = await frontier.census();
          throw new Error(
            `not finished: ${JSON.stringify(census)}\n${dead()}\n${daemons.map((daemon) => daemon.lines().slice(-5).join('\n')).join('\n')}`,
            { cause: error },
          );
        },
      );
    },
    tail: () => daemons.map((daemon) => daemon.lines().slice(-8).join('\n')).join('\n'),
    async stop() {
      await Promise.all(daemons.map((daemon) => (daemon.exit() === null ? daemon.kill() : daemon.exited)));
      await shop.stop();
      if (options.databaseUrl === undefined) await querySql(inject('databaseUrl'), `drop database e2e_${id}`);
      await database.close();
      redis.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** What must hold after any run: nothing lost, nothing twice, everything in its place. */
export async function audit(cluster: Cluster, pages: number, cardsPerPage = 24): Promise<SiteSummary> {
  const { frontier } = cluster;
  const census = await frontier.census();
  const saved = await cluster.summary();
  expect({ pending: census.pending, total: census.done + census.dead }).toEqual({ pending: 0, total: pages });
  expect(saved.pages).toBe(census.done);
  expect(saved.deadUrls).toBe(census.dead);
  expect(saved.goodsRows).toBe(census.done * cardsPerPage);
  expect(saved.distinctGoodsUrls).toBe(saved.goodsRows);
  expect((await frontier.audit()).violations).toEqual([]);
  const unexplained = "select * from dist_crawl_dead_urls where site = 'shop' and (last_error = '' or kind = '')";
  expect(await cluster.query(unexplained)).toEqual([]);
  return saved;
}
