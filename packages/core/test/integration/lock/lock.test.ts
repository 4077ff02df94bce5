import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acquireLock, withLock } from '../../../src/lock/index.js';
import { connectRedis, siteKeys, type RedisClient, type RedisKey } from '../../../src/redis/index.js';

let client: RedisClient;
beforeAll(() => {
  client = connectRedis({ url: inject('redisUrl'), name: 'test' });
});
afterAll(() => client.quit());

const newKey = (): RedisKey => siteKeys(`lock-test:${randomUUID()}`).jobLock('job');

describe('acquireLock', () => {
  it('gives the lock to one, with 30 s to live', async () => {
    const key = newKey();
    const tries = await Promise.all(Array.from({ length: 10 }, () => acquireLock(client, key)));
    expect(tries.filter((lock) => lock !== null)).toHaveLength(1);
    expect(await client.pttl(key)).toBeGreaterThan(28_000);
  });

  it('is released and renewed by its owner only', async () => {
    const key = newKey();
    const lock = await acquireLock(client, key, 60_000);
    expect(await lock?.renew(90_000)).toBe(true);
    expect(await client.pttl(key)).toBeGreaterThan(80_000);
    await client.set(key, 'somebody else');
    expect(await lock?.renew()).toBe(false);
    expect(await lock?.release()).toBe(false);
    expect(await client.get(key)).toBe('somebody else');
  });

  it('is free again after its owner released it, or was silent for its time', async () => {
    const key = newKey();
    const first = await acquireLock(client, key);
    expect(await first?.release()).toBe(true);
    expect(await acquireLock(client, key, 50)).not.toBeNull();
    await sleep(80);
    expect(await acquireLock(client, key)).not.toBeNull();
  });
});

describe('withLock', () => {
  it('holds the lock for longer than its time while the work goes on, and frees it at the end', async () => {
    const key = newKey();
    const work = withLock(client, key, () => sleep(900, 'result'), { ttlMs: 300 });
    await sleep(700);
    expect(await withLock(client, key, () => Promise.resolve('second'))).toEqual({ ran: false });
    expect(await work).toEqual({ ran: true, result: 'result' });
    expect(await client.exists(key)).toBe(0);
  });

  it('keeps the lock after quick work where nobody shall repeat it', async () => {
    const key = newKey();
    await withLock(client, key, () => Promise.resolve(), { keepMs: 60_000 });
    expect(await withLock(client, key, () => Promise.resolve())).toEqual({ ran: false });
  });

  it('aborts the work when the lock is lost', async () => {
    const key = newKey();
    const work = withLock(client, key, (signal) => sleep(5_000, undefined, { signal }), { ttlMs: 150 });
    const failed = expect(work).rejects.toThrow();
    await sleep(50);
    await client.set(key, 'somebody else');
    await failed;
    expect(await client.get(key)).toBe('somebody else');
  });

  it('frees the lock when the work fails', async () => {
    const key = newKey();
    await expect(withLock(client, key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await client.exists(key)).toBe(0);
  });
});
