import { isArchived, listDead } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import { eventually } from '@dist-crawl/testbed';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { crawl, failWaiting, openWorld, urlOf, urls, type World } from '../integration/world.js';
import { makeHome, type Home } from './scheduler-process.js';

const EVERY_SECOND = { RETRY_CRON: '* * * * * *' };
const DAY_MS = 86_400_000;

describe('the retry-scheduler as a process', () => {
  let world: World;
  let home: Home;
  let frontier: Frontier;

  beforeAll(async () => {
    world = await openWorld('scheduler_e2e');
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(async () => {
    frontier = world.newSite({ name: 'shop' });
    const servers = { redisUrl: inject('redisUrl'), databaseUrl: world.databaseUrl };
    home = await makeHome(servers, frontier.keys.namespace);
    return () => home.close();
  });

  it('brings a failing URL from failed(1) to the dead table, two schedulers at each tick', async () => {
    await frontier.intake.enqueue(urls(3));
    const schedulers = [
      await home.start({ env: { ...EVERY_SECOND, HEALTH_PORT: '0' } }),
      await home.start({ env: EVERY_SECOND }),
    ];
    const said = await schedulers[0]?.waitForLine(/health: http/);
    const address = /http:[^"]+/.exec(said ?? '')?.[0] ?? '';
    await eventually(async () => (await fetch(address)).status === 200);

    await eventually(
      async () => {
        await failWaiting(frontier);
        return (await frontier.census()).dead === 3;
      },
      { timeoutMs: 60_000 },
    );
    const { counters, failed, pending } = await frontier.census();
    expect({ failed, pending, counters }).toMatchObject({
      failed: 0,
      pending: 0,
      counters: { queued: 3, failed: 15, requeued: 12, dead: 3 },
    });
    const letters = await listDead(world.database, { site: 'shop', limit: 10 });
    const stories = letters.map(({ url, kind, failures }) => ({ url, kind, failures }));
    expect(stories.sort((a, b) => (a.url < b.url ? -1 : 1))).toEqual(
      urls(3).map((url) => ({ url, kind: 'http-500', failures: 5 })),
    );
    expect(await frontier.intake.enqueue(urls(3))).toMatchObject({ queued: 0, dead: 3 });

    for (const scheduler of schedulers) expect(await scheduler.stop()).toEqual({ code: 0, signal: null });
  });

  it('brings the tasks of a lost node back to the queue', async () => {
    await frontier.intake.enqueue(urls(3));
    await frontier.leases.register('node-b~1');
    const claimed = await frontier.leases.claim('node-b~1', 1, 2);
    expect(claimed.kind).toBe('tasks');
    const scheduler = await home.start({ env: { RECOVER_EVERY: '1s' } });
    const line = await scheduler.waitForLine(/node-b~1 silent for 15 s/, 60_000);
    expect(line).toContain('2 tasks back in the queue');
    expect(await frontier.census()).toMatchObject({ waiting: 3, inFlight: 0, workers: [] });
    expect(await scheduler.stop()).toEqual({ code: 0, signal: null });
  });

  it('runs one job for an operator, and exits', async () => {
    await frontier.intake.enqueue(urls(2, 10));
    await failWaiting(frontier);
    const retry = await home.start({ args: ['--', '--once', 'retry'], env: { LOG_LEVEL: 'warn' } });
    expect(await retry.exited).toEqual({ code: 0, signal: null });
    expect(retry.lines()).toEqual(['shop: 2 failed URLs back in the queue']);

    const now = Date.now();
    await crawl(
      world,
      frontier,
      { url: urlOf(1), time: new Date(now - 40 * DAY_MS) },
      { url: urlOf(2), time: new Date(now) },
    );
    const archive = await home.start({ args: ['--once', 'archive'], env: { LOG_LEVEL: 'warn' } });
    expect(await archive.exited).toEqual({ code: 0, signal: null });
    expect(archive.lines()).toEqual(['shop: 1 page archived']);
    expect(await world.redis.smembers(frontier.keys.doneUrlSet)).toEqual([urlOf(2)]);
    expect(await isArchived(world.database, 'shop', urls(2))).toEqual(new Set([urlOf(1)]));
  });

  it('says what is wrong with flags and settings, and starts nothing', async () => {
    const wrong = await home.start({
      args: ['--once', 'retyr'],
      env: { RETRY_CRON: '61 * * * *', ARCHIVE_AFTER_DAYS: '0' },
    });
    expect(await wrong.exited).toEqual({ code: 78, signal: null });
    expect(wrong.lines().join('\n')).toMatchInlineSnapshot(`
      "3 settings are wrong; nothing was started.

        --once: 'retyr' is none of them
          expected one of retry, recover, archive

        RETRY_CRON in the environment: '61 * * * *' is not a cron expression
          expected a cron expression of five fields (six with seconds first), such as '*/30 * * * *'

        ARCHIVE_AFTER_DAYS in the environment: 0 is out of range
          expected a whole number from 1 to 36500"
    `);
    const unknown = await home.start({ args: ['--site', 'shpo'] });
    expect((await unknown.exited).code).toBe(78);
    expect(unknown.lines().join('\n')).toContain('did you mean shop?');
  });
});
