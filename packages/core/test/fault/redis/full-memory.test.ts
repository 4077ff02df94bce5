import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { localDirectory, startRedis, type RedisServer } from '../../../../testbed/dist/index.js'; // by path: testbed itself depends on core
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFrontier } from '../../../src/frontier/index.js';
import { withLock } from '../../../src/lock/index.js';
import { connectRedis, type RedisClient } from '../../../src/redis/index.js';
import type { CanonicalUrl } from '../../../src/url/index.js';

let server: RedisServer;
let client: RedisClient;
beforeAll(async () => {
  server = await startRedis({ directory: join(localDirectory(), 'run', `${process.pid}-full`) });
  client = connectRedis({ url: server.url, name: 'test' });
});
afterAll(async () => {
  client.disconnect();
  await server.close();
});

const urls = (count: number, from = 0): CanonicalUrl[] =>
  Array.from({ length: count }, (_, index) => `http://shop.test/p/${from + index}` as CanonicalUrl);

it('when Redis is full nothing can be queued, and everything else goes on', async () => {
  const frontier = openFrontier(client, {
    name: 'shop',
    namespace: `full:${randomUUID()}`,
    dedup: { store: 'set' },
    pace: { ratePerSecond: 1000, burst: 1, concurrency: 1000 },
  });
  const { intake, leases, retries, recovery } = frontier;
  await intake.enqueue(urls(20));
  await leases.register('w~1');
  await client.config('SET', 'maxmemory', '1');
  await expect(client.set(`full:${randomUUID()}`, 'x')).rejects.toThrow(/^OOM/u);

  await expect(intake.enqueue(urls(1, 100))).rejects.toThrow(/OOM/u);
  await intake.touchRound('round');
  await intake.endRound('round');
  await leases.register('w~2');
  const before = (await recovery.heartbeats()).get('w~2') ?? 0;
  const claimed = await leases.claim('w~2', 1, 8);
  if (claimed.kind !== 'tasks') throw new Error(claimed.kind);
  const [a, b, c, d, e] = claimed.tasks;
  if (!a || !b || !c || !d || !e) throw new Error('five tasks were to be had');
  await expect
    .poll(async () => {
      expect(await leases.renew('w~2', claimed.tasks)).toMatchObject({ kind: 'renewed', lost: [] });
      return (await recovery.heartbeats()).get('w~2');
    })
    .toBeGreaterThan(before);
  expect(await client.pttl(`${frontier.keys.lockPrefix}${a.url}`)).toBeGreaterThan(0);
  await frontier.ranges.note(1, { goods: 'fingerprint' }, 0);
  expect(await leases.complete('w~2', [{ ...a, rows: 24 }])).toEqual(['completed']);
  expect(await leases.bury('w~2', [b])).toEqual(['buried']);
  expect(await leases.fail('w~2', c, { kind: 'x', message: 'y', node: 'n' })).toMatchObject({ status: 'failed' });
  expect(await leases.release('w~2', [d], { end: 'last', notBeforeMs: 1 })).toEqual(['released']);
  expect(await leases.throttle('w~2', e, { message: '429', status: 429, node: 'n' })).toMatchObject({
    status: 'released',
  });
  expect(await retries.requeue(5, 10)).toEqual({ taken: 1, queued: 1 });
  expect(await recovery.recover('w~2', { processDied: true })).toMatchObject({
    kind: 'recovered',
    tasks: claimed.tasks.length - 5,
  });
  expect(await withLock(client, frontier.keys.jobLock('retry'), async () => 'done')).toEqual({
    ran: true,
    result: 'done',
  });
  await frontier.operator.resume();
  expect(await frontier.census()).toMatchObject({ pending: 18, done: 1, dead: 1 });
  expect((await frontier.audit()).violations).toEqual([]);

  await client.config('SET', 'maxmemory', '0');
  expect(await intake.enqueue(urls(1, 100))).toMatchObject({ queued: 1 });
});
