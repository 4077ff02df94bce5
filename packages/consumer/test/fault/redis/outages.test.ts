import { connectRedis, type RedisClient } from '@dist-crawl/core/redis';
import { eventually, startRedis, type RedisOptions, type RedisServer } from '@dist-crawl/testbed';
import { expect } from 'vitest';
import { startCluster } from '../../e2e/cluster.js';
import { faultCase, type FaultRun } from '../fault-case.js';
import { registered } from '../processes.js';
import { startTcpProxy } from '../tcp-proxy.js';
import { allUnready, folderOf, startCrawl } from './outage.js';

async function redisOf(run: FaultRun, name: string, options: Partial<RedisOptions> = {}): Promise<RedisServer> {
  const server = await startRedis({ directory: folderOf(run, name), ...options });
  run.cleanUp(() => server.close());
  return server;
}

function clientOf(run: FaultRun, { url }: RedisServer): RedisClient {
  const client = connectRedis({ url, name: 'test' });
  run.cleanUp(() => client.disconnect());
  return client;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

faultCase(
  'Redis is killed and comes back with its data: daemons go unready, reconnect and go on',
  { fault: 'Redis restarted with its data', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'aof', { persist: true });
    const pages = run.pages(120);
    const crawl = await startCrawl(run, { pages, redisUrl: redis.url });
    const recoveryMs: number[] = [];
    for (const part of [0.2, 0.5]) {
      await crawl.done(pages * part);
      await redis.kill();
      await allUnready(crawl);
      await redis.restart();
      recoveryMs.push(await crawl.recovered());
    }
    run.record({ audit: await crawl.end(), strikes: 2, recoveryMs });
  },
);

faultCase(
  'Redis stands still without closing a connection: daemons go unready and go on, and no node is taken for dead',
  { fault: 'Redis stands still, connections stay', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'still');
    const pages = run.pages(120);
    const crawl = await startCrawl(run, { pages, redisUrl: redis.url });
    const recoveryMs: number[] = [];
    // Shorter and longer than the silence after which a connection is given up.
    for (const [part, ms] of [
      [0.2, 10_000],
      [0.5, run.long ? 30_000 : 18_000],
    ] as const) {
      await crawl.done(pages * part);
      process.kill(redis.pid ?? 0, 'SIGSTOP');
      const begun = performance.now();
      await allUnready(crawl);
      await pause(ms - (performance.now() - begun));
      process.kill(redis.pid ?? 0, 'SIGCONT');
      recoveryMs.push(await crawl.recovered());
    }
    run.record({ audit: await crawl.end(), strikes: 2, recoveryMs });
  },
);

faultCase(
  'Redis forgets its scripts again and again: nobody notices',
  { fault: 'SCRIPT FLUSH', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'scripts');
    const client = clientOf(run, redis);
    const pages = run.pages(120);
    const crawl = await startCrawl(run, { pages, redisUrl: redis.url });
    let strikes = 0;
    const flush = setInterval(() => {
      strikes += 1;
      void client.script('FLUSH').catch(() => undefined); // Redis is there all the time
    }, 50);
    await crawl.done(pages).finally(() => clearInterval(flush));
    for (const daemon of [...crawl.nodes, crawl.scheduler]) {
      expect(daemon.lines().filter((line) => /NOSCRIPT|"level":(?:40|50)|WARN|ERROR/u.test(line))).toEqual([]);
    }
    run.record({ audit: await crawl.end(), strikes });
  },
);

faultCase(
  'Redis is full: what is queued is crawled on, the producer waits and says why, and goes on when there is room',
  { fault: 'Redis out of memory (noeviction)', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'full');
    const client = clientOf(run, redis);
    const pages = 160;
    const crawl = await startCrawl(run, { pages, laterPages: 50, rate: 8, redisUrl: redis.url });
    await crawl.done(5);
    await client.config('SET', 'maxmemory', '1');
    const producer = await crawl.cluster.producer('--pages', `${pages + 1}-${pages + 50}`);
    await producer.waitForLine(/refused, tried again in .*OOM/u);
    // Long enough for silent nodes to be taken for dead.
    await crawl.done(pages - 5);
    expect(await crawl.readiness()).toEqual([200, 200, 200]);
    expect(producer.exit()).toBeNull();
    expect((await crawl.cluster.frontier.census()).counters['queued']).toBe(pages);
    await client.config('SET', 'maxmemory', '0');
    const begun = performance.now();
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    run.record({ audit: await crawl.end({ pages: pages + 50 }), strikes: 1, recoveryMs: [performance.now() - begun] });
  },
);

faultCase(
  'the master becomes a read-only replica of another behind the same address: daemons reconnect to the new master',
  { fault: 'read-only replica after failover', concurrent: true },
  async (run) => {
    const password = 'replica-test';
    const args = ['--masterauth', password, '--repl-diskless-sync-delay', '0'];
    const [first, second] = [
      await redisOf(run, 'first', { password, args }),
      await redisOf(run, 'second', { password, args }),
    ];
    let master = first;
    const address = await startTcpProxy({ port: () => master.port });
    run.cleanUp(() => address.stop());
    const replica = clientOf(run, second);
    await replica.replicaof('127.0.0.1', first.port);
    const pages = run.pages(120);
    const crawl = await startCrawl(run, { pages, redisUrl: address.through(first.url) });
    await crawl.done(pages / 4);
    await eventually(async () => (await replica.info('replication')).includes('master_link_status:up'));
    // As failover tools do: the old master takes no more writes, then the new one is promoted, then the address moves.
    const old = clientOf(run, first);
    await old.replicaof('127.0.0.1', second.port);
    await allUnready(crawl);
    await replica.replicaof('NO', 'ONE');
    master = second;
    const recoveryMs = [await crawl.recovered()];
    run.record({ audit: await crawl.end(), strikes: 1, recoveryMs });
  },
);

faultCase(
  'Redis comes back empty: daemons register anew by themselves, and the producer run again brings the work back',
  { fault: 'Redis restarted empty', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'empty', { persist: false });
    const pages = run.pages(120);
    const crawl = await startCrawl(run, { pages, redisUrl: redis.url });
    await crawl.done(pages / 3);
    const before = await registered(crawl.cluster);
    await redis.kill();
    await allUnready(crawl);
    await redis.restart();
    const begun = performance.now();
    await eventually(async () => (await registered(crawl.cluster)).length === before.length, { timeoutMs: 60_000 });
    await eventually(async () => (await crawl.readiness()).every((status) => status === 200), { timeoutMs: 60_000 });
    const recoveryMs = [performance.now() - begun];
    expect((await crawl.cluster.frontier.census()).pending).toBe(0);
    await crawl.cluster.produce('--pages', `1-${pages}`);
    run.record({ audit: await crawl.end(), strikes: 1, recoveryMs });
  },
);

faultCase(
  'a crawl until all is done does not end as done because Redis forgot what is left',
  { fault: 'Redis restarted empty, --until-done', concurrent: true },
  async (run) => {
    const redis = await redisOf(run, 'until-done', { persist: false });
    const pages = run.pages(60);
    const cluster = await startCluster({
      redisUrl: redis.url,
      shop: { pages },
      site: ['pace: { rate: 20/s, concurrency: 16 }'],
    });
    run.cleanUp(() => cluster.stop());
    await cluster.produce('--pages', `1-${pages}`);
    const node = await cluster.consumer('node-1', { args: ['--until-done'] });
    await eventually(async () => (await cluster.frontier.census()).done >= 5, { timeoutMs: 60_000 });
    await redis.kill();
    await redis.restart();
    await node.waitForLine(/Redis has lost/u, 60_000);
    await pause(3_000);
    expect(node.exit(), node.lines().slice(-5).join('\n')).toBeNull();
    await cluster.produce('--pages', `1-${pages}`);
    expect(await node.exited).toEqual({ code: 0, signal: null });
    expect((await cluster.summary()).goodsRows).toBe(pages * 24);
  },
);
