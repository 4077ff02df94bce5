import { loadSiteFile } from '@dist-crawl/core/sites';
import { compileSite, extractPage, type CompiledSite } from '@dist-crawl/page';
import { eventually } from '@dist-crawl/testbed';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { startCluster, type Cluster } from '../e2e/cluster.js';
import { faultCase, type FaultRun } from './fault-case.js';
import { startFront } from './front.js';
import { fullAudit } from './full-audit.js';
import { ended, heldBy, registered, signalProcess, timeUntil, workersOf } from './processes.js';

/*
 * A selector of a user's site file that is cheap on all pages but one: it takes time by the fourth power of the number of
 * `<i>` in a card, and only the page under test has any.
 */
const SLOW_FIELD = 'note: p ~ i ~ i ~ i';
const slowTags = (count: number): string => '<i></i>'.repeat(count);

describe('a worker that is silent', () => {
  faultCase(
    'because of SIGSTOP is replaced, and its tasks go on elsewhere',
    { fault: 'SIGSTOP of one worker' },
    async (run) => {
      const pages = run.pages(250);
      const cluster = await startCluster({
        shop: { pages },
        site: ['pace: { rate: 25/s, concurrency: 24 }'],
        env: { WATCHDOG_SILENCE: '4s' },
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const node = await cluster.consumer('node-1');
      await ended(cluster, run.random.between(5, 50));
      await eventually(async () => (await registered(cluster)).length === 2, { timeoutMs: 120_000 });
      const before = await registered(cluster);
      await eventually(async () => (await heldBy(cluster, 'node-1~')) > 0, { timeoutMs: 20_000, everyMs: 5 });
      signalProcess(run.random.pick(await workersOf(node)), 'SIGSTOP');
      const gone = async (): Promise<boolean> => {
        const now = new Set(await registered(cluster));
        return before.some((id) => !now.has(id));
      };
      const recoveryMs = [await timeUntil(gone, 60_000)];
      await node.waitForLine(/has not answered for \d+ s and is replaced/);
      await cluster.finished(200_000);
      run.record({ audit: await fullAudit(cluster, { pages }), strikes: 1, recoveryMs });
      expect((await node.stop()).code).toBe(0);
    },
  );

  faultCase(
    'while a page takes 20 s to parse loses nothing: its leases are renewed by the primary',
    { fault: 'event loop blocked by a page that takes 20 s to parse', concurrent: true },
    async (run) => {
      const { cluster, pages, slow } = await startWithSlowPage(run, (site) => tagsFor(site, 20_000), '120s');
      const node = await cluster.consumer('node-1', { env: { PROCESS_NUM: '1' } });
      const scheduler = await cluster.scheduler();
      const begun = performance.now();
      await cluster.finished(230_000);
      expect(performance.now() - begun, 'the page was slow').toBeGreaterThan(10_000);
      const audit = await fullAudit(cluster, { pages });
      expect(audit.done).toBe(pages);
      expect((await cluster.frontier.census()).counters).not.toHaveProperty('recovered');
      expect(cluster.shop.counts().paths[`/goods/list?page=${slow}`]).toMatchObject({ requests: 1 });
      run.record({ audit, strikes: 1 });
      expect((await node.stop()).code).toBe(0);
      await scheduler.stop();
    },
  );

  faultCase(
    'for longer than it may is replaced; only the page is charged, and its neighbours are done',
    { fault: 'event loop blocked beyond the limit', concurrent: true },
    async (run) => {
      const { cluster, pages, slow } = await startWithSlowPage(run, () => 5_000, '4s', { MAX_FAILURES: '1' });
      const node = await cluster.consumer('node-1', { env: { PROCESS_NUM: '1', CONCURRENCY: '16' } });
      await cluster.scheduler();
      await cluster.finished(230_000);
      const audit = await fullAudit(cluster, { pages, mayBeDead: [slow] });
      expect(audit).toMatchObject({ done: pages - 1, dead: 1 });
      const letters = await cluster.query('select kind, last_error from dist_crawl_dead_urls');
      expect(letters).toEqual([
        { kind: 'worker-crash', last_error: 'the worker died 3 times while it parsed this page' },
      ]);
      run.record({ audit, strikes: 3 });
      expect((await node.stop()).code).toBe(0);
    },
  );
});

/** Sixteen pages, one of them slow to parse. */
async function startWithSlowPage(
  run: FaultRun,
  tags: (site: CompiledSite) => number,
  silence: string,
  env: Record<string, string> = {},
): Promise<{ cluster: Cluster; pages: number; slow: number }> {
  const pages = 16;
  const slow = run.random.between(1, pages);
  let count = 0;
  const base = async (shopUrl: string): Promise<string> => {
    const front = await startFront(
      () => shopUrl,
      (path, body) =>
        path === `/goods/list?page=${slow}`
          ? body.replace('<div class="s-list">', (found) => found + slowTags(count))
          : null,
    );
    run.cleanUp(() => front.stop());
    return front.url;
  };
  const cluster = await startCluster({
    shop: { pages },
    base,
    fields: [SLOW_FIELD],
    env: { WATCHDOG_SILENCE: silence, TASK_DEADLINE: '200s', ...env },
  });
  run.cleanUp(() => cluster.stop());
  count = tags(await compileSite(loadSiteFile(join(cluster.sitesDir, 'shop.yaml'))));
  await cluster.produce('--pages', `1-${pages}`);
  return { cluster, pages, slow };
}

/** How many tags keep this machine's parser busy for so long, by what fewer of them take. */
function tagsFor(site: CompiledSite, ms: number): number {
  const sample = 100;
  const html = `<div class="goods-card"><a href="/goods/1">x</a>${slowTags(sample)}</div>`;
  const url = `${site.site.base}/goods/list?page=1`;
  extractPage(site, { html, url, finalUrl: url }); // the first time compiles
  const begun = performance.now();
  extractPage(site, { html, url, finalUrl: url });
  const took = performance.now() - begun;
  return Math.round(sample * (ms / took) ** 0.25);
}
