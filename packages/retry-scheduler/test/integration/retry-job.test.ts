import { listDead, saveDead } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLetter } from '../../src/jobs/dead-letter.js';
import { createRetryJob, RETRY_BATCH } from '../../src/jobs/retry-job.js';
import { failWaiting, logger, never, openWorld, urlOf, urls, type World } from './world.js';

const MAX_FAILURES = 5;

describe('the retry job', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('retry_job');
  });
  afterAll(async () => {
    await world.close();
  });

  const jobOf = (frontier: Frontier, maxFailures = MAX_FAILURES) =>
    createRetryJob({ frontier, database: world.database, maxFailures, logger });
  const deadOf = (frontier: Frontier) => listDead(world.database, { site: frontier.site, limit: 5_000 });

  it('queues a URL again after failures 1 to 4, and gives it up at the fifth', async () => {
    const frontier = world.newSite();
    const job = jobOf(frontier);
    const before = Date.now();
    await frontier.intake.enqueue([urlOf(1)]);
    for (let failures = 1; failures < MAX_FAILURES; failures += 1) {
      expect(await failWaiting(frontier)).toBe(1);
      expect(await world.redis.zscore(frontier.keys.failUrlZset, urlOf(1))).toBe(String(failures));
      expect(await job.runOnce(never)).toEqual({ dead: 0, deadByKind: {}, requeued: 1, dropped: 0, finished: true });
      expect(await frontier.census()).toMatchObject({ waiting: 1, failed: 0, pending: 1, dead: 0 });
    }
    await failWaiting(frontier);
    expect(await job.runOnce(never)).toEqual({
      dead: 1,
      deadByKind: { 'http-500': 1 },
      requeued: 0,
      dropped: 0,
      finished: true,
    });

    expect(await frontier.census()).toMatchObject({ waiting: 0, failed: 0, pending: 0, dead: 1 });
    expect(await world.redis.sismember(frontier.keys.deadUrlSet, urlOf(1))).toBe(1);
    const [letter, ...others] = await deadOf(frontier);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      url: urlOf(1),
      kind: 'http-500',
      lastError: `HTTP 500 from ${urlOf(1)}`,
      status: 500,
      failures: 5,
      node: 'node-a',
    });
    const first = letter?.firstFailure.getTime() ?? 0;
    const last = letter?.lastFailure.getTime() ?? 0;
    expect(first).toBeGreaterThanOrEqual(before - 1_000);
    expect(last).toBeGreaterThanOrEqual(first);
    expect(await frontier.intake.enqueue([urlOf(1)])).toMatchObject({ queued: 0, dead: 1 });
    expect((await frontier.audit()).violations).toEqual([]);
  });

  it('changes nothing when it runs again', async () => {
    const frontier = world.newSite();
    await frontier.intake.enqueue(urls(4));
    await failWaiting(frontier);
    await world.redis.zadd(frontier.keys.failUrlZset, 5, urlOf(1), 9, urlOf(2));
    const job = jobOf(frontier);
    expect(await job.runOnce(never)).toEqual({
      dead: 2,
      deadByKind: { 'http-500': 2 },
      requeued: 2,
      dropped: 0,
      finished: true,
    });
    const once = [await frontier.census(), await deadOf(frontier)] as const;
    for (let again = 0; again < 3; again += 1) {
      expect(await job.runOnce(never)).toEqual({ dead: 0, deadByKind: {}, requeued: 0, dropped: 0, finished: true });
    }
    const timeless = { now: 0, workers: [] };
    expect({ ...(await frontier.census()), ...timeless }).toEqual({ ...once[0], ...timeless });
    expect(await deadOf(frontier)).toEqual(once[1]);
  });

  it('goes on after a crash between the dead letter and the ZSet', async () => {
    const frontier = world.newSite();
    await frontier.intake.enqueue(urls(3));
    await failWaiting(frontier);
    await world.redis.zadd(frontier.keys.failUrlZset, 5, urlOf(1), 5, urlOf(2));
    const { now } = await frontier.census();
    const batch = await frontier.retries.exhausted(MAX_FAILURES, 10);
    await saveDead(
      world.database,
      batch.map((failed) => deadLetter(frontier.site, failed, now)),
    );
    // Here it crashed: the rows are committed, the URLs still failed.
    expect(await frontier.census()).toMatchObject({ failed: 3, dead: 0 });
    const before = await deadOf(frontier);
    expect(before).toHaveLength(2);

    expect(await jobOf(frontier).runOnce(never)).toMatchObject({ dead: 2, requeued: 1 });
    expect(await deadOf(frontier)).toEqual(before);
    expect(await frontier.census()).toMatchObject({ failed: 0, dead: 2, waiting: 1 });
    expect((await frontier.audit()).violations).toEqual([]);
  });

  it('takes back the letter of a URL that got another chance between the two steps', async () => {
    const frontier = world.newSite();
    await frontier.intake.enqueue([urlOf(1)]);
    await failWaiting(frontier);
    await world.redis.zadd(frontier.keys.failUrlZset, 5, urlOf(1));
    const { retries } = frontier;
    const meddling: Frontier = {
      ...frontier,
      retries: {
        ...retries,
        async buryFailed(batch, maxFailures) {
          await retries.requeue(100, 10);
          return retries.buryFailed(batch, maxFailures);
        },
      },
    };
    expect(await jobOf(meddling).runOnce(never)).toMatchObject({ dead: 0 });
    expect(await deadOf(frontier)).toEqual([]);
    expect(await frontier.census()).toMatchObject({ waiting: 1, dead: 0 });
  });

  it('takes several batches, and only what had failed when it began', async () => {
    const frontier = world.newSite();
    const count = RETRY_BATCH * 2 + 7;
    for (let first = 1; first <= count; first += 500) {
      await frontier.intake.enqueue(urls(Math.min(500, count - first + 1), first));
    }
    expect(await failWaiting(frontier)).toBe(count);
    const { retries } = frontier;
    let calls = 0;
    const site: Frontier = {
      ...frontier,
      retries: {
        ...retries,
        async requeue(maxFailures, limit) {
          calls += 1;
          const taken = await retries.requeue(maxFailures, limit);
          await failWaiting(frontier);
          return taken;
        },
      },
    };
    expect(await jobOf(site).runOnce(never)).toMatchObject({ requeued: count, dead: 0 });
    expect(calls).toBe(3);
  });

  it('drops a failed URL that was done meanwhile', async () => {
    const frontier = world.newSite();
    await frontier.intake.enqueue(urls(2));
    await failWaiting(frontier);
    await world.redis.srem(frontier.keys.pendingUrlSet, urlOf(1));
    await world.redis.sadd(frontier.keys.doneUrlSet, urlOf(1));
    expect(await jobOf(frontier).runOnce(never)).toMatchObject({ requeued: 1, dropped: 1 });
    expect(await world.redis.lrange(frontier.keys.taskQueue, 0, -1)).toEqual([urlOf(2)]);
  });

  it('explains also a URL of whose failures no readable record is left', async () => {
    const frontier = world.newSite();
    const long = `http://shop.test/${'x'.repeat(5_000)}`;
    await world.redis.zadd(frontier.keys.failUrlZset, 7, urlOf(1), 1e300, urlOf(2), 8, long);
    await world.redis.hset(frontier.keys.task, urlOf(2), '{"kind":"timeout","first":1e300,"last":-1,"status":123456}');
    await world.redis.sadd(frontier.keys.pendingUrlSet, urlOf(1), urlOf(2), long);
    expect(await jobOf(frontier).runOnce(never)).toMatchObject({ dead: 3, finished: true });
    const letters = await deadOf(frontier);
    expect(letters.find(({ url }) => url === urlOf(1))).toMatchObject({
      kind: 'unknown',
      lastError: expect.stringContaining('no record of its failures') as string,
      status: null,
      failures: 7,
      node: 'unknown',
    });
    expect(letters.find(({ url }) => url === urlOf(2))).toMatchObject({ kind: 'timeout', status: null });
    expect(letters.find(({ url }) => url.length === 2048)?.lastError).toContain('5017 characters');
  });

  it('stops between two batches when it is told to', async () => {
    const frontier = world.newSite();
    await frontier.intake.enqueue(urls(RETRY_BATCH));
    await frontier.intake.enqueue(urls(RETRY_BATCH, RETRY_BATCH + 1));
    await failWaiting(frontier);
    const stop = new AbortController();
    const { retries } = frontier;
    const site: Frontier = {
      ...frontier,
      retries: {
        ...retries,
        async requeue(maxFailures, limit) {
          stop.abort();
          return retries.requeue(maxFailures, limit);
        },
      },
    };
    expect(await jobOf(site).runOnce(stop.signal)).toMatchObject({ requeued: RETRY_BATCH, finished: false });
    expect(await frontier.census()).toMatchObject({ waiting: RETRY_BATCH, failed: RETRY_BATCH });
    expect(await jobOf(frontier).runOnce(never)).toMatchObject({ requeued: RETRY_BATCH, finished: true });
  });
});
