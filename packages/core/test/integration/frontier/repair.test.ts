import { expect, it } from 'vitest';
import type { CanonicalUrl } from '../../../src/url/index.js';
import { urls, useBench, type Bench } from './frontier-setup.js';

const bench = useBench();

type Url = CanonicalUrl;
const someUrl = (name: string): Url => `http://shop.test/${name}` as Url;

/** Sets keys by hand in ways that no script would. */
async function damage(site: Bench.Site): Promise<void> {
  const { keys } = site;
  const redis = bench.client;
  await site.leases.register('a');
  await site.intake.enqueue(urls(3));
  const [held] = await site.take('a', 1);
  if (held === undefined) throw new Error('nothing to hold');
  await redis.sadd(
    keys.pendingUrlSet,
    someUrl('orphan'),
    someUrl('dead'),
    someUrl('done'),
    someUrl('twice'),
    someUrl('both'),
  );
  await redis.sadd(keys.deadUrlSet, someUrl('dead'));
  await redis.sadd(keys.doneUrlSet, someUrl('done'));
  await redis.lpush(
    keys.taskQueue,
    someUrl('done'),
    someUrl('twice'),
    someUrl('twice'),
    someUrl('unknown'),
    someUrl('both'),
    held.url,
  );
  await redis.zadd(keys.failUrlZset, 2, someUrl('both'), 1, someUrl('unknown-failure'));
  await redis.set(`${keys.lockPrefix}${held.url}`, 'somebody else');
}

it('puts URLs that stand in two places, or in none, where they belong, and says so', async () => {
  const site = bench.open();
  await damage(site);
  const { violations } = await site.audit();
  const mended = await site.repair.mend([...new Set(violations.map(({ url }) => url))]);
  expect((await site.audit()).violations).toEqual([]);
  expect(Object.fromEntries(mended.map(({ url, now }) => [url.replace('http://shop.test/', ''), now]))).toEqual({
    orphan: 'waiting',
    dead: 'dead',
    done: 'done',
    twice: 'waiting',
    both: 'waiting',
    unknown: 'pending',
    'unknown-failure': 'pending',
    'p/0': 'in-flight',
  });
  expect(await site.census()).toMatchObject({ waiting: 6, inFlight: 1, failed: 1, pending: 8, done: 1, dead: 1 });
  expect(await site.repair.mend([...new Set(violations.map(({ url }) => url))])).toEqual([]);
});

it('gives back what workers hold that are not on the register', async () => {
  const site = bench.open();
  await site.leases.register('a');
  await site.leases.register('b');
  await site.intake.enqueue(urls(4));
  await site.take('a', 2);
  await site.take('b', 2);
  await bench.client.zrem(site.keys.workers, 'a');
  expect(await site.repair.recoverUnknown()).toEqual([{ worker: 'a', tasks: 2 }]);
  expect(await site.census()).toMatchObject({ waiting: 2, inFlight: 2 });
  expect((await site.audit()).violations).toEqual([]);
});

it('writes dead URLs into the set again, but for those that are pending', async () => {
  const site = bench.open();
  await site.intake.enqueue(urls(1));
  expect(await site.repair.rememberDead(urls(3))).toBe(2);
  expect(await site.repair.rememberDead(urls(3))).toBe(0);
  expect((await site.audit()).violations).toEqual([]);
});
