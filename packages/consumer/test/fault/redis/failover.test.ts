import { startRedisCluster, startRedisSentinels } from '@dist-crawl/testbed';
import { expect } from 'vitest';
import { faultCase } from '../fault-case.js';
import { folderOf, startCrawl } from './outage.js';

faultCase(
  'the master behind sentinels dies in mid run: the crawl goes on with its replica',
  { fault: 'Redis Sentinel failover' },
  async (run) => {
    const pages = run.pages(200);
    const redis = await startRedisSentinels({ directory: folderOf(run, 'sentinels'), replicas: 2 });
    run.cleanUp(() => redis.stop());
    const crawl = await startCrawl(run, { pages, redis: { REDIS_SENTINELS: redis.setting } });
    await crawl.done(pages / 4);
    const old = await redis.master();
    await old.kill();
    const recoveryMs = [await crawl.recovered()];
    expect((await redis.master()).port).not.toBe(old.port);
    // The old master comes back as a replica; its last second of writes is gone, and nobody follows it.
    await old.restart();
    run.record({ audit: await crawl.end(), strikes: 1, recoveryMs });
  },
);

faultCase(
  'a master of the cluster dies in mid run: the crawl goes on with its replica',
  { fault: 'Redis Cluster failover' },
  async (run) => {
    const pages = run.pages(200);
    const redis = await startRedisCluster({ directory: folderOf(run, 'cluster') });
    run.cleanUp(() => redis.stop());
    const crawl = await startCrawl(run, { pages, redis: { REDIS_CLUSTER: redis.setting } });
    expect(crawl.cluster.frontier.keys.taskQueue).toMatch(/^\{e2e:/u);
    await crawl.done(pages / 4);
    const old = await redis.masterOf(crawl.cluster.frontier.keys.taskQueue);
    await old.kill();
    const recoveryMs = [await crawl.recovered()];
    expect((await redis.masterOf(crawl.cluster.frontier.keys.taskQueue)).port).not.toBe(old.port);
    await old.restart();
    run.record({ audit: await crawl.end(), strikes: 1, recoveryMs });
  },
);
