import { join } from 'node:path';
import { eventually, startMysql, startRedis } from '@dist-crawl/testbed';
import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { ended, registered } from './processes.js';
import { makeSmallDisk, noSmallDisk } from './small-disk.js';

const skip = noSmallDisk();

describe('a full disk', () => {
  faultCase(
    'under MySQL: a clear error, a pause, and on when there is room',
    { fault: 'disk full under MySQL', skip },
    async (run) => {
      const pages = run.pages(300);
      const disk = makeSmallDisk(160);
      run.cleanUp(() => disk.remove());
      const mysql = await startMysql({ directory: join(disk.directory, 'mysql') });
      run.cleanUp(() => mysql.close());
      const databaseUrl = await mysql.createDatabase('fault');
      const cluster = await startCluster({
        shop: { pages },
        site: ['pace: { rate: 60/s, concurrency: 64 }'],
        databaseUrl,
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const node = await cluster.consumer('node-1');
      await ended(cluster, run.random.between(5, 60));
      disk.fill();
      await node.waitForLine(/MySQL does not take what is to be written/, 120_000);
      const { done } = await cluster.frontier.census();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      // What fits into pages that the tables have already may still go in.
      const census = await cluster.frontier.census();
      expect(census.inFlight).toBeGreaterThan(0);
      expect(census.done - done).toBeLessThan(pages - done);
      disk.free();
      // MariaDB ends itself at some of its full disks; a service manager starts it again.
      if (mysql.pid === null) await mysql.restart();
      const begun = performance.now();
      await ended(cluster, census.done + 1, 120_000);
      const recoveryMs = [performance.now() - begun];
      await cluster.finished(200_000);
      run.record({ audit: await fullAudit(cluster, { pages }), strikes: 1, recoveryMs });
      expect((await node.stop()).code).toBe(0);
    },
  );

  faultCase(
    'under Redis: a clear error, a pause, and on when there is room; nobody is taken for dead',
    { fault: 'disk full under Redis', skip },
    async (run) => {
      const pages = run.pages(300);
      const disk = makeSmallDisk(8);
      run.cleanUp(() => disk.remove());
      const redis = await startRedis({ directory: join(disk.directory, 'redis'), persist: true });
      run.cleanUp(() => redis.close());
      const cluster = await startCluster({
        shop: { pages },
        site: ['pace: { rate: 60/s, concurrency: 64 }'],
        redisUrl: redis.url,
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const node = await cluster.consumer('node-1');
      await cluster.scheduler();
      await eventually(async () => (await registered(cluster)).length === 2, { timeoutMs: 120_000 });
      const before = await registered(cluster);
      await ended(cluster, run.random.between(5, 60));
      disk.fill();
      await node.waitForLine(/MISCONF|No space left/, 120_000);
      const { done } = await cluster.frontier.census();
      // Longer than a node may be silent.
      await new Promise((resolve) => setTimeout(resolve, run.long ? 30_000 : 17_000));
      expect((await cluster.frontier.census()).done).toBe(done);
      disk.free();
      const begun = performance.now();
      await ended(cluster, done + 1, 120_000);
      const recoveryMs = [performance.now() - begun];
      await cluster.finished(200_000);
      expect((await registered(cluster)).toSorted(), 'the workers from before').toEqual(before.toSorted());
      run.record({ audit: await fullAudit(cluster, { pages }), strikes: 1, recoveryMs });
      expect((await node.stop()).code).toBe(0);
    },
  );
});
