import { listDead } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import { eventually, startServers, type Servers } from '@dist-crawl/testbed';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeHome, type Home } from '../e2e/scheduler-process.js';
import { failWaiting, openWorld, urls, type World } from '../integration/world.js';

const EVERY_SECOND = { RETRY_CRON: '* * * * * *', RECOVER_EVERY: '500ms' };

describe('a scheduler whose servers go away', () => {
  let servers: Servers;
  let world: World;
  let home: Home;
  let frontier: Frontier;

  beforeAll(async () => {
    servers = await startServers({ redis: { persist: true } });
    world = await openWorld('outages', { redisUrl: servers.redis.url, databaseUrl: servers.mysql.url });
  });
  afterAll(async () => {
    await world.close();
    await servers.stop();
  });
  beforeEach(async () => {
    frontier = world.newSite({ name: 'shop' });
    home = await makeHome({ redisUrl: servers.redis.url, databaseUrl: world.databaseUrl }, frontier.keys.namespace);
    return () => home.close();
  });

  it('waits for MySQL and then gives up what failed too often', async () => {
    const scheduler = await home.start({ env: { ...EVERY_SECOND, MAX_FAILURES: '1' } });
    await scheduler.waitForLine(/running/);
    await servers.mysql.kill();
    await frontier.intake.enqueue(urls(2));
    await failWaiting(frontier);
    await scheduler.waitForLine(/retry of shop (?:goes on in|waits for the next tick)/);
    expect(await frontier.census()).toMatchObject({ failed: 2, dead: 0 });
    await servers.mysql.restart();
    await eventually(async () => (await frontier.census()).dead === 2, { timeoutMs: 60_000 });
    expect(await listDead(world.database, { site: 'shop', limit: 10 })).toHaveLength(2);
    expect(await scheduler.stop()).toEqual({ code: 0, signal: null });
  });

  it('waits for Redis, goes on, and takes no live worker for dead', async () => {
    await frontier.intake.enqueue(urls(2));
    await frontier.leases.register('node-a~1');
    await frontier.leases.claim('node-a~1', 1, 1);
    const scheduler = await home.start({ env: EVERY_SECOND });
    await scheduler.waitForLine(/running/);
    await servers.redis.stop();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await servers.redis.restart();
    await frontier.leases.claim('node-a~1', 2, 1);
    await failWaiting(frontier);
    await eventually(async () => (await frontier.census()).failed === 0, { timeoutMs: 30_000 });
    expect((await frontier.census()).workers.map(({ worker }) => worker)).toContain('node-a~1');
    expect(await scheduler.stop()).toEqual({ code: 0, signal: null });
  });

  it('ends in good order while a server is away', async () => {
    const scheduler = await home.start({ env: { ...EVERY_SECOND, DRAIN_DEADLINE: '2s' } });
    await scheduler.waitForLine(/running/);
    await servers.redis.stop();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await scheduler.stop(15_000)).toEqual({ code: 0, signal: null });
    await servers.redis.restart();
  });
});
