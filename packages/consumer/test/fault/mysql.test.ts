import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort, querySql, startMysql, type Daemon, type MySqlServer } from '@dist-crawl/testbed';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from '../e2e/cluster.js';
import { faultCase, type FaultRun } from './fault-case.js';
import { startFront } from './front.js';
import { fullAudit } from './full-audit.js';
import { ended } from './processes.js';
import { startTcpProxy } from './tcp-proxy.js';

let directory: string;
let mysql: MySqlServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dist-crawl-fault-'));
  mysql = await startMysql({ directory });
});
afterAll(async () => {
  await mysql.close();
  await rm(directory, { recursive: true, force: true });
});

let databases = 0;
async function start(run: FaultRun, options: ClusterOptions): Promise<Cluster> {
  databases += 1;
  const cluster = await startCluster({
    site: ['pace: { rate: 60/s, concurrency: 64 }'],
    ...options,
    databaseUrl: await mysql.createDatabase(`fault_${databases}`),
  });
  run.cleanUp(() => cluster.stop());
  // A test that failed in mid outage must not take the next one with it.
  run.cleanUp(() => (mysql.pid === null ? mysql.restart() : undefined));
  await cluster.produce('--pages', `1-${options.shop?.pages ?? 0}`);
  return cluster;
}

const admin = (text: string): Promise<Record<string, unknown>[]> => querySql(mysql.url, text);

/** At this level a lock on all rows keeps others from adding any. */
const LOCK_GAPS = ['set session transaction isolation level repeatable read', 'start transaction'];

/** Ms until one more page is done; none may be left where a connection survived. */
async function untilNextDone(cluster: Cluster): Promise<number> {
  const begun = performance.now();
  const { done, pending } = await cluster.frontier.census();
  if (pending > 0) await ended(cluster, done + 1, 120_000);
  return performance.now() - begun;
}

/** Tasks that two workers may hold: their slots, and what their writers keep. */
const MOST_HELD = 2 * (8 + 2 * 8 + 64);

async function end(
  run: FaultRun,
  cluster: Cluster,
  nodes: readonly Daemon[],
  pages: number,
  strikes: number,
  recoveryMs: number[] = [],
): Promise<void> {
  await cluster.finished(200_000);
  run.record({ audit: await fullAudit(cluster, { pages }), strikes, recoveryMs });
  for (const node of nodes) expect((await node.stop()).code).toBe(0);
}

describe('MySQL', () => {
  faultCase(
    'stopped for a while: pages wait, nothing is done before it is saved',
    { fault: 'MySQL stopped for 5 s (30 s in the long form)' },
    async (run) => {
      const pages = run.pages(300);
      const cluster = await start(run, { shop: { pages } });
      const healthPort = await freePort();
      const node = await cluster.consumer('node-1', { env: { HEALTH_PORT: String(healthPort) } });
      const ready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok;
      await ended(cluster, run.random.between(10, 100));
      await mysql.stop();
      const { done } = await cluster.frontier.census();
      await new Promise((resolve) => setTimeout(resolve, run.long ? 30_000 : 5_000));
      await eventually(async () => !(await ready()), { timeoutMs: 120_000 });
      const census = await cluster.frontier.census();
      // A batch that was committed when the server went may still be told to Redis.
      expect(census.done - done).toBeLessThanOrEqual(2 * 64);
      expect(census.inFlight).toBeLessThanOrEqual(MOST_HELD);
      await mysql.restart();
      const recoveryMs = [await untilNextDone(cluster)];
      await eventually(ready, { timeoutMs: 120_000 });
      await end(run, cluster, [node], pages, 1, recoveryMs);
    },
  );

  faultCase('killed in mid commit', { fault: 'MySQL killed in mid commit' }, async (run) => {
    const pages = run.pages(300);
    const cluster = await start(run, { shop: { pages } });
    let armed = false;
    const killed: Promise<void>[] = [];
    const proxy = await startTcpProxy({
      port: mysql.port,
      onRequest(bytes) {
        if (!armed || !bytes.includes('COMMIT')) return 'pass';
        armed = false;
        killed.push(mysql.kill());
        return run.random.next() < 0.3 ? 'cut' : 'pass';
      },
    });
    run.cleanUp(() => proxy.stop());
    const node = await cluster.consumer('node-1', {
      env: { DATABASE_URL: proxy.through(String(cluster.env['DATABASE_URL'])) },
    });
    const kills = run.long ? 8 : 3;
    const recoveryMs: number[] = [];
    for (let kill = 1; kill <= kills; kill += 1) {
      await ended(cluster, Math.floor((pages * (kill - run.random.next())) / (kills + 1)));
      armed = true;
      await eventually(() => killed.length === kill, { timeoutMs: 120_000 });
      await killed.at(-1);
      await mysql.restart();
      recoveryMs.push(await untilNextDone(cluster));
    }
    await end(run, cluster, [node], pages, kills, recoveryMs);
  });

  faultCase('with all its connections taken by others', { fault: 'MySQL: max_connections reached' }, async (run) => {
    const pages = run.pages(250);
    // So slow that pages are left when the connections are back.
    const cluster = await start(run, { shop: { pages }, site: ['pace: { rate: 20/s, concurrency: 64 }'] });
    const node = await cluster.consumer('node-1');
    await ended(cluster, run.random.between(10, 80));
    await admin('set global max_connections = 10');
    run.cleanUp(() => admin('set global max_connections = 151'));
    // Its own connections are cut, and what it gave up is taken before it comes back.
    const taken = Array.from({ length: 40 }, () =>
      querySql(mysql.url, 'select sleep(5)').catch((error: unknown) => error),
    );
    const own = await admin(
      "select id from information_schema.processlist where db like 'fault\\_%' and command = 'Sleep'",
    ).catch(() => []);
    for (const { id, ID } of own) await admin(`kill ${String(id ?? ID)}`).catch(() => undefined);
    const refused = (await Promise.all(taken)).filter((result) => result instanceof Error);
    expect(refused.length, 'connections that MySQL refused').toBeGreaterThan(0);
    await admin('set global max_connections = 151');
    const recoveryMs = [await untilNextDone(cluster)];
    await end(run, cluster, [node], pages, 1, recoveryMs);
  });

  faultCase(
    'with rows that somebody else keeps locked',
    { fault: 'MySQL: lock wait time-out provoked' },
    async (run) => {
      const pages = run.pages(250);
      await admin('set global innodb_lock_wait_timeout = 1');
      run.cleanUp(() => admin('set global innodb_lock_wait_timeout = 50'));
      const cluster = await start(run, { shop: { pages } });
      const node = await cluster.consumer('node-1', { env: { LOG_LEVEL: 'debug' } });
      await ended(cluster, run.random.between(10, 80));
      await cluster.database.run(
        async (session) => {
          for (const statement of [...LOCK_GAPS, 'select id from dist_crawl_goods for update'])
            await session.execute(statement);
          await node.waitForLine(/Lock wait timeout exceeded/, 120_000);
          await new Promise((resolve) => setTimeout(resolve, 2_000));
          await session.execute('rollback');
        },
        { timeoutMs: 90_000 },
      );
      const recoveryMs = [await untilNextDone(cluster)];
      await end(run, cluster, [node], pages, 1, recoveryMs);
    },
  );

  faultCase(
    'that breaks deadlocks at the cost of our transactions',
    { fault: 'MySQL: deadlock provoked' },
    async (run) => {
      const pages = run.pages(250);
      const cluster = await start(run, { shop: { pages } });
      const node = await cluster.consumer('node-1', { env: { LOG_LEVEL: 'debug' } });
      await ended(cluster, run.random.between(10, 60));
      const deadlocks = (): number => node.lines().filter((line) => line.includes('Deadlock found')).length;
      await cluster.query('create table ballast (id int auto_increment primary key, n int)');
      const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} n`).join(' union all ');
      for (let round = 0; round < 5 && deadlocks() === 0; round += 1) {
        await cluster.database
          .run(
            async (session) => {
              for (const statement of LOCK_GAPS) await session.execute(statement);
              // The victim of a deadlock is who has changed less.
              await session.execute(
                `insert into ballast (n) select 1 from (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) d`,
              );
              await session.execute('select id from dist_crawl_pages for update');
              await new Promise((resolve) => setTimeout(resolve, 1_500));
              await session.execute('select id from dist_crawl_goods for update');
              await session.execute('rollback');
            },
            { timeoutMs: 60_000 },
          )
          .catch((error: unknown) => expect(String(error)).toMatch(/Deadlock|conflict/));
      }
      expect(deadlocks(), 'deadlocks that we lost').toBeGreaterThan(0);
      await end(run, cluster, [node], pages, deadlocks());
    },
  );

  faultCase(
    'that closes connections which were idle',
    { fault: 'MySQL: connection idle past wait_timeout' },
    async (run) => {
      const pages = run.pages(80);
      await admin('set global wait_timeout = 2');
      run.cleanUp(() => admin('set global wait_timeout = 28800'));
      const cluster = await start(run, { shop: { pages: 2 * pages } });
      const node = await cluster.consumer('node-1');
      await ended(cluster, pages);
      await cluster.frontier.operator.hold('idle for longer than wait_timeout');
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      await cluster.frontier.operator.resume();
      const recoveryMs = [await untilNextDone(cluster)];
      await end(run, cluster, [node], 2 * pages, 1, recoveryMs);
    },
  );

  faultCase(
    'that refuses a row: it is set aside with its reason, all others are saved',
    { fault: 'MySQL refuses one row of a batch' },
    async (run) => {
      const pages = run.pages(60);
      const chosen = new Set<number>();
      while (chosen.size < 3) chosen.add(run.random.between(1, pages));
      const [tooDear = 0, tooLong = 0, emoji = 0] = [...chosen];
      const base = async (shopUrl: string): Promise<string> => {
        const front = await startFront(
          () => shopUrl,
          (path, body) => {
            switch (path) {
              case `/goods/list?page=${tooDear}`:
                return body.replace(
                  /<span class="price">.*?<\/span>/su,
                  '<span class="price">¥99999999999999999999.00</span>',
                );
              case `/goods/list?page=${tooLong}`:
                return body.replace(/(<h3 class="title[^>]*>)[^<]*/u, (_, tag: string) => tag + '长'.repeat(5_000));
              case `/goods/list?page=${emoji}`:
                return body.replace(/(<h3 class="title[^>]*>)[^<]*/u, (_, tag: string) => `${tag}🦄 four bytes`);
              default:
                return null;
            }
          },
        );
        run.cleanUp(() => front.stop());
        return front.url;
      };
      const cluster = await start(run, { shop: { pages }, base });
      const node = await cluster.consumer('node-1');
      await cluster.finished(200_000);
      const rejected = await cluster.query('select page_url, reason from dist_crawl_rejected_rows');
      const missingRows = new Map<number, number>();
      for (const { page_url: url } of rejected) {
        const page = Number(new URL(String(url)).searchParams.get('page'));
        missingRows.set(page, (missingRows.get(page) ?? 0) + 1);
      }
      expect(rejected.every(({ reason }) => reason !== '')).toBe(true);
      // A price that no column holds is none that can be read: its row is kept without it.
      expect([...missingRows]).toEqual([[tooLong, 1]]);
      const dear = await cluster.query(
        "select attributes from dist_crawl_goods where price is null and attributes like '%99999999999999999999%'",
      );
      expect(dear).toHaveLength(1);
      const names = await cluster.query("select goods_name from dist_crawl_goods where goods_name like '%four bytes'");
      expect(names).toEqual([{ goods_name: '🦄 four bytes' }]);
      run.record({ audit: await fullAudit(cluster, { pages, missingRows }), strikes: rejected.length });
      expect((await node.stop()).code).toBe(0);
    },
  );
});
