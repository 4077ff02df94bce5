import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  localDirectory,
  startRedisCluster,
  startRedisSentinels,
  type RedisCluster,
  type RedisSentinels,
} from '../../../../testbed/dist/index.js'; // by path: testbed itself depends on core
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/index.js';
import { openFrontier, waitForTask, type Dedup, type Frontier } from '../../../src/frontier/index.js';
import { withLock } from '../../../src/lock/index.js';
import {
  connectRedis,
  createSharedCache,
  isServing,
  waitForRedis,
  type RedisClient,
} from '../../../src/redis/index.js';
import type { CanonicalUrl } from '../../../src/url/index.js';

const folder = (name: string): string => join(localDirectory(), 'run', `${process.pid}-core-${name}`);
// Braces and the like in a URL must not send its lock to another slot.
const urls = (count: number, from = 0): CanonicalUrl[] =>
  Array.from({ length: count }, (_, index) => `http://shop.test/p/{${from + index}}?a=}{` as CanonicalUrl);

function connectTo(env: Record<string, string>): RedisClient {
  const { redis } = loadConfig('console', { env: { ...env, DATABASE_URL: 'mysql://u@h/d' }, home: '/nowhere' });
  return connectRedis({ ...redis, name: 'test' });
}

function open(client: RedisClient, dedup: Dedup = { store: 'set' }): Frontier {
  const pace = { ratePerSecond: null, burst: 1, concurrency: 1000 };
  return openFrontier(client, { name: 'shop', namespace: `topology:${randomUUID()}`, dedup, pace });
}

/** Every script of the frontier once, to an end that is known. */
async function liveThrough(frontier: Frontier, blocking: RedisClient): Promise<void> {
  const { intake, leases, retries, recovery, doneStore, operator } = frontier;
  const failure = { kind: 'http-500', message: 'oops', status: 500, node: 'n' };
  await intake.touchRound('round');
  expect(await intake.enqueue(urls(9))).toMatchObject({ queued: 9 });
  expect(await waitForTask(blocking, frontier.keys)).toBe(true);
  await leases.register('w~1');
  await leases.register('w~2');
  const claimed = await leases.claim('w~1', 1, 7);
  if (claimed.kind !== 'tasks') throw new Error(claimed.kind);
  const [a, b, c, d, e, f, g] = claimed.tasks;
  if (!a || !b || !c || !d || !e || !f || !g) throw new Error('seven tasks were to be had');
  expect(await leases.renew('w~1', claimed.tasks)).toMatchObject({ kind: 'renewed', lost: [] });
  expect(await leases.complete('w~1', [{ ...a, rows: 1, finalUrl: `${a.url}/final` as CanonicalUrl }])).toEqual([
    'completed',
  ]);
  expect(await leases.bury('w~1', [b])).toEqual(['buried']);
  for (const task of [c, d]) expect(await leases.fail('w~1', task, failure)).toMatchObject({ status: 'failed' });
  expect(await leases.release('w~1', [e], { end: 'last' })).toEqual(['released']);
  expect(await leases.throttle('w~1', f, { message: '429', status: 429, node: 'n' })).toMatchObject({
    status: 'released',
  });
  await operator.hold('for a look');
  expect(await leases.claim('w~2', 1, 1)).toMatchObject({ kind: 'wait', reason: 'paused' });
  await operator.resume();
  expect(await retries.exhausted(1, 10)).toHaveLength(2);
  expect(await retries.buryFailed([c.url], 1)).toEqual(['buried']);
  expect(await retries.requeue(5, 10)).toEqual({ taken: 1, queued: 1 });
  expect(await retries.redrive([b.url, c.url])).toEqual(['queued', 'queued']);
  expect(await recovery.recover('w~1', { processDied: true, suspect: g.url })).toEqual({ kind: 'recovered', tasks: 1 });
  expect(await recovery.heartbeats()).toHaveLength(1);
  await doneStore.remember(urls(2, 100));
  await doneStore.forget(urls(1, 100));
  await doneStore.dropGenerationsBefore('2020-01');
  await frontier.ranges.note(1, { goods: 'fingerprint' }, 0);
  expect(await frontier.ranges.look([{ page: 1, url: a.url }], 0)).toEqual(['passed']);
  expect(await frontier.repair.mend([a.url, e.url])).toEqual([]);
  expect(await frontier.repair.rememberDead(urls(1, 200))).toBe(1);
  expect(await retries.redrive(urls(1, 200))).toEqual(['queued']);
  await intake.endRound('round');
  expect(await intake.enqueue([a.url])).toMatchObject({ done: 1 });
  expect(await frontier.census()).toMatchObject({ waiting: 9, inFlight: 0, failed: 0, dead: 0, rounds: 0 });
  expect((await frontier.audit()).violations).toEqual([]);
}

describe('Redis Cluster', () => {
  let redis: RedisCluster;
  let client: RedisClient;
  let blocking: RedisClient;
  beforeAll(async () => {
    redis = await startRedisCluster({ directory: folder('cluster') });
    [client, blocking] = [connectTo({ REDIS_CLUSTER: redis.setting }), connectTo({ REDIS_CLUSTER: redis.setting })];
  });
  afterAll(async () => {
    for (const each of [client, blocking]) each.disconnect();
    await redis.stop();
  });

  it.each([{ store: 'set' } as const, { store: 'bloom', errorRate: 1e-6, initialCapacity: 1000 } as const])(
    'takes every script, with done as a $store, and holds all keys of a site in one slot',
    async (dedup) => {
      const frontier = open(client, dedup);
      await liveThrough(frontier, blocking);
      const cache = createSharedCache(client, frontier.keys, 'robots');
      await cache.set('http://shop.test', 'text', 60_000);
      expect(await cache.get('http://shop.test')).toBe('text');
      expect(await withLock(client, frontier.keys.jobLock('retry'), async () => 'done')).toEqual({
        ran: true,
        result: 'done',
      });
      const masters = 'nodes' in client ? client.nodes('master') : [];
      const found = await Promise.all(masters.map((master) => master.keys(`${frontier.keys.namespace}:*`)));
      expect(found.filter((keys) => keys.length > 0)).toHaveLength(1);
      const slots = await Promise.all(found.flat().map((key) => client.call('CLUSTER', ['KEYSLOT', key])));
      expect(new Set(slots).size).toBe(1);
    },
  );

  it('is not serving while a master is away without a replica to follow it, and again when it is back', async () => {
    expect(await isServing(client)).toBe('yes');
    const { keys } = open(client);
    for (let failovers = 0; failovers < 2; failovers += 1) {
      const master = await redis.masterOf(keys.taskQueue);
      await master.kill();
      // Waits for the failover where there is one; for the second nobody is left.
      const answer = client.llen(keys.taskQueue);
      if (failovers === 0) expect(await answer).toBe(0);
      else {
        await expect.poll(async () => (await isServing(client)) === 'yes', { timeout: 30_000 }).toBe(false);
        await master.restart();
        expect(await answer).toBe(0);
      }
    }
    await expect.poll(async () => isServing(client), { timeout: 30_000 }).toBe('yes');
  });
});

describe('Redis Sentinel', () => {
  let redis: RedisSentinels;
  beforeAll(async () => {
    redis = await startRedisSentinels({ directory: folder('sentinels') });
  });
  afterAll(() => redis.stop());

  it('leads to the master, and to the next one while commands wait', async () => {
    const [client, blocking] = [
      connectTo({ REDIS_SENTINELS: redis.setting }),
      connectTo({ REDIS_SENTINELS: redis.setting }),
    ];
    try {
      const frontier = open(client);
      await liveThrough(frontier, blocking);
      const old = await redis.master();
      const { waiting } = await frontier.census();
      // Its silence alone: no connection is closed, as with a machine that lost its power.
      process.kill(old.pid ?? 0, 'SIGSTOP');
      const begun = performance.now();
      expect(await frontier.intake.enqueue(urls(1, 500))).toMatchObject({ queued: 1 });
      expect(performance.now() - begun).toBeLessThan(14_000);
      expect((await redis.master()).port).not.toBe(old.port);
      expect((await frontier.census()).waiting).toBe(waiting + 1);
      process.kill(old.pid ?? 0, 'SIGCONT');
      expect((await frontier.audit()).violations).toEqual([]);
    } finally {
      for (const each of [client, blocking]) each.disconnect();
    }
  });

  it('says what is wrong when the sentinels know no such master', async () => {
    const troubles: string[] = [];
    const { port } = redis.sentinels[0] ?? { port: 0 };
    const target = { sentinels: [{ host: '127.0.0.1', port }], master: 'nobody', database: 0, tls: false };
    const client = connectRedis({ ...target, name: 'test', onTrouble: ({ message }) => troubles.push(message) });
    const error: unknown = await waitForRedis(client, {
      target,
      signal: new AbortController().signal,
      deadlineMs: 1_500,
    }).catch((reason: unknown) => reason);
    client.disconnect();
    expect(String(error)).toContain('nobody of sentinels 127.0.0.1');
    expect(troubles.join('\n')).toMatch(/sentinel 127\.0\.0\.1:\d+ because ERR No such master with that name/u);
  });
});
