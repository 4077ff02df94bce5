import { eventually } from '@dist-crawl/testbed';
import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { killBeforeBurial } from './scheduler-kill.js';
import { ended, registered, signalProcess, timeUntil, workersOf } from './processes.js';

describe('SIGKILL', () => {
  faultCase('of workers, again and again', { fault: 'SIGKILL of a worker' }, async (run) => {
    const pages = run.pages(300);
    const kills = run.long ? 20 : 5;
    const cluster = await startCluster({ shop: { pages }, site: ['pace: { rate: 60/s, concurrency: 32 }'] });
    run.cleanUp(() => cluster.stop());
    await cluster.produce('--pages', `1-${pages}`);
    const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => cluster.consumer(tag)));
    const recoveryMs: number[] = [];
    let at = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      at = Math.min(at + run.random.between(1, Math.floor((1.6 * pages) / kills)), Math.floor(pages * 0.85));
      await ended(cluster, at);
      const node = run.random.pick(nodes);
      const workers = await eventually(
        async () => {
          const pids = await workersOf(node);
          return pids.length > 0 && (await registered(cluster, node.name)).length === pids.length ? pids : null;
        },
        { timeoutMs: 120_000 },
      );
      const before = await registered(cluster, node.name);
      signalProcess(run.random.pick(workers), 'SIGKILL');
      // recover() puts the tasks back and takes the id off the register in one script.
      const gone = async (): Promise<boolean> => {
        const now = new Set(await registered(cluster, node.name));
        return before.some((id) => !now.has(id));
      };
      recoveryMs.push(await timeUntil(gone, 20_000));
    }
    await cluster.finished(200_000);
    run.record({ audit: await fullAudit(cluster, { pages }), strikes: kills, recoveryMs });
    for (const node of nodes) expect((await node.stop()).code).toBe(0);
  });

  faultCase(
    'of the producer between two batches',
    { fault: 'SIGKILL of the producer between batches', concurrent: true },
    async (run) => {
      const pages = run.pages(400);
      const cluster = await startCluster({ shop: { pages }, env: { ENQUEUE_BATCH: '20' } });
      run.cleanUp(() => cluster.stop());
      let kills = 0;
      for (let at = run.random.between(20, 100); at < pages; at += run.random.between(40, Math.floor(pages / 3))) {
        const producer = await cluster.producer('--pages', `1-${pages}`);
        await eventually(async () => producer.exit() !== null || (await cluster.frontier.census()).pending >= at, {
          timeoutMs: 120_000,
          everyMs: 2,
        });
        if (producer.exit() === null) kills += 1;
        await producer.kill();
        expect((await cluster.frontier.audit()).violations).toEqual([]);
      }
      await cluster.produce('--pages', `1-${pages}`);
      expect(await cluster.frontier.census()).toMatchObject({ waiting: pages, pending: pages });
      const node = await cluster.consumer('node-1', { args: ['--until-done'] });
      // The rounds of the dead producers are forgotten when they gave no sign of life for a while.
      await cluster.finished(200_000);
      run.record({ audit: await fullAudit(cluster, { pages }), strikes: kills });
      await node.stop();
    },
  );

  faultCase(
    'of the scheduler between a row in the dead table and the end of its URL in Redis',
    { fault: 'SIGKILL of the scheduler between dead row and ZSet', concurrent: true },
    async (run) => {
      const pages = run.pages(40);
      const broken = [...new Set(Array.from({ length: 5 }, () => run.random.between(1, pages)))];
      const cluster = await startCluster({
        shop: { pages, faults: [{ kind: 'server-error', pages: broken, attempts: 'always' }] },
        env: { MAX_FAILURES: '1' },
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const node = await cluster.consumer('node-1');
      await eventually(async () => (await cluster.frontier.census()).failed === broken.length, { timeoutMs: 120_000 });

      const killed = await killBeforeBurial(cluster, (work) => run.cleanUp(work));
      const between = await cluster.frontier.census();
      expect(between).toMatchObject({ failed: broken.length, dead: 0 });
      expect(await cluster.query('select url from dist_crawl_dead_urls')).toHaveLength(broken.length);
      expect(killed.signal).toBe('SIGKILL');

      const begun = performance.now();
      await cluster.scheduler();
      await cluster.finished(200_000);
      const recoveryMs = [performance.now() - begun];
      const audit = await fullAudit(cluster, { pages, mayBeDead: broken });
      expect(audit.dead).toBe(broken.length);
      run.record({ audit, strikes: 1, recoveryMs });
      await node.stop();
    },
  );
});
