import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { ended } from './processes.js';

describe('a URL that always answers 429', () => {
  faultCase(
    'first in the queue: the site goes on, the URL ends as throttled',
    { fault: 'a URL that always answers 429, first in the queue' },
    async (run) => {
      const pages = run.pages(60);
      const cluster = await startCluster({
        shop: { pages, faults: [{ kind: 'too-many-requests', pages: [1], attempts: 'always', retryAfterSeconds: 1 }] },
        // As slow as other pages must go on passing between two tries of the one.
        site: ['pace: { rate: 12/s, concurrency: 4 }'],
        env: { MAX_FAILURES: '1' },
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const node = await cluster.consumer('node-1', { args: ['--until-done'] });
      const scheduler = await cluster.scheduler();
      await ended(cluster, pages - 1, 200_000);
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages, mayBeDead: [1] });
      const letters = await cluster.query('select kind, status from dist_crawl_dead_urls');
      expect(letters).toEqual([{ kind: 'throttled', status: 429 }]);
      run.record({ audit, strikes: cluster.shop.counts().faults['too-many-requests'] ?? 0 });
      expect((await node.exited).code).toBe(0);
      await scheduler.stop();
    },
  );
});
