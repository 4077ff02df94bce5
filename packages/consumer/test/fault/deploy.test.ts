import { existsSync } from 'node:fs';
import { eventually } from '@dist-crawl/testbed';
import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { ended } from './processes.js';

const FAKE_TIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file));

describe('work that is handed over', () => {
  faultCase(
    'SIGTERM during work: unfetched tasks go back at once, nothing waits for a lease',
    { fault: 'SIGTERM during work (deploy)' },
    async (run) => {
      const pages = run.pages(300);
      const cluster = await startCluster({
        shop: { pages, faults: [{ kind: 'slow', rate: 0.1, delayMs: 1_500 }] },
        site: ['pace: { rate: 60/s, concurrency: 32 }'],
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const deploys = run.long ? 10 : 3;
      const recoveryMs: number[] = [];
      for (let deploy = 1; deploy <= deploys; deploy += 1) {
        const node = await cluster.consumer('node-1');
        await node.waitForLine(/running/, 60_000);
        await ended(cluster, Math.floor((pages * (deploy - run.random.next())) / (deploys + 1)));
        const begun = performance.now();
        const exit = await node.stop();
        recoveryMs.push(performance.now() - begun);
        expect(exit, node.lines().slice(-10).join('\n')).toEqual({ code: 0, signal: null });
        expect(await cluster.frontier.census()).toMatchObject({ inFlight: 0, workers: [] });
        expect((await cluster.frontier.audit()).violations).toEqual([]);
        expect(await locks(cluster.redis, cluster.frontier.keys.lockPrefix)).toEqual([]);
      }
      await cluster.consumer('node-1');
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages });
      expect((await cluster.frontier.census()).counters).not.toHaveProperty('recovered');
      run.record({ audit, strikes: deploys, recoveryMs });
    },
  );

  faultCase(
    'two schedulers and a node whose clock is an hour fast: each job once, times from Redis',
    {
      fault: 'two schedulers, a clock wrong by an hour',
      skip: FAKE_TIME === undefined && 'libfaketime is not installed (Debian, Ubuntu: apt-get install faketime)',
    },
    async (run) => {
      const pages = run.pages(120);
      const broken = run.random.between(1, pages);
      const cluster = await startCluster({
        shop: {
          pages,
          faults: [
            { kind: 'server-error', pages: [broken], attempts: 'always' },
            { kind: 'server-error', rate: 0.2 },
          ],
        },
        site: ['pace: { rate: 40/s, concurrency: 32 }'],
        env: { MAX_FAILURES: '3' },
      });
      run.cleanUp(() => cluster.stop());
      const wrong = {
        LD_PRELOAD: FAKE_TIME ?? '',
        FAKETIME: run.random.pick(['+3600s', '-3600s']),
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      await cluster.produce('--pages', `1-${pages}`);
      const begun = Date.now();
      const schedulers = [
        await cluster.scheduler({ RETRY_CRON: '*/2 * * * * *' }),
        await cluster.scheduler({ RETRY_CRON: '*/2 * * * * *', ...wrong }),
      ];
      const nodes = [await cluster.consumer('node-1'), await cluster.consumer('node-2', { env: wrong })];
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages, mayBeDead: [broken] });
      expect(audit.dead).toBe(1);
      const [letter] = await cluster.query('select failures, last_failure as last from dist_crawl_dead_urls');
      expect(Number(letter?.['failures'])).toBe(3);
      const { counters } = await cluster.frontier.census();
      expect(counters, 'nobody alive was taken for dead').not.toHaveProperty('recovered');
      expect(counters).toMatchObject({ queued: pages, done: pages - 1, dead: 1 });
      const times = await cluster.query(
        'select min(crawl_time) as first, max(crawl_time) as last, count(distinct source_node) as nodes from dist_crawl_goods',
      );
      const [{ first, last, nodes: writers } = {}] = times;
      for (const time of [first, last, letter?.['last']]) {
        expect(new Date(String(time)).getTime()).toBeGreaterThan(begun - 60_000);
        expect(new Date(String(time)).getTime()).toBeLessThan(Date.now() + 60_000);
      }
      expect(Number(writers), 'both nodes wrote rows').toBe(2);
      run.record({ audit, strikes: 1 });
      for (const daemon of [...nodes, ...schedulers]) expect((await daemon.stop()).code).toBe(0);
    },
  );
});

async function locks(redis: { keys(pattern: string): Promise<string[]> }, prefix: string): Promise<string[]> {
  return eventually(() => redis.keys(`${prefix}*`));
}
