import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { eventually, localDirectory, type Daemon } from '@dist-crawl/testbed';
import { expect } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from '../../e2e/cluster.js';
import type { FaultRun } from '../fault-case.js';
import { fullAudit, type AuditOptions, type FullAudit } from '../full-audit.js';

/** A crawl under way on two nodes with a scheduler beside them, slow enough that a fault strikes in its middle. */
export interface Crawl {
  readonly cluster: Cluster;
  readonly nodes: readonly Daemon[];
  readonly scheduler: Daemon;
  readonly pages: number;
  /** What /readyz of each of the three says: 200, 503, or 0 where it does not answer. */
  readiness(): Promise<number[]>;
  /** Waits until so many pages are done. */
  done(pages: number, timeoutMs?: number): Promise<void>;
  /** From now, Redis being away, until every daemon is ready and one more page is done, ms. */
  recovered(timeoutMs?: number): Promise<number>;
  /** Waits for the end of the crawl, audits it, and stops everything in good order. */
  end(options?: Partial<AuditOptions>): Promise<FullAudit>;
}

export interface CrawlOptions extends Pick<ClusterOptions, 'redis' | 'redisUrl'> {
  readonly pages: number;
  /** More pages that the shop has, to be queued by the test. */
  readonly laterPages?: number;
  /** Pages a second; default 30. */
  readonly rate?: number;
}

/** In the short form; the long one has many times the pages, at the same pace. */
const DEADLINE_MS = 60_000;

export async function startCrawl(
  run: FaultRun,
  { pages, laterPages = 0, rate = 30, ...servers }: CrawlOptions,
): Promise<Crawl> {
  const deadlineMs = run.long ? 10 * DEADLINE_MS : DEADLINE_MS;
  const cluster = await startCluster({
    ...servers,
    shop: { pages: pages + laterPages },
    site: [`pace: { rate: ${rate}/s, concurrency: 64 }`],
    env: { HEALTH_PORT: '0' },
  });
  run.cleanUp(() => cluster.stop());
  await cluster.produce('--pages', `1-${pages}`);
  const nodes = [await cluster.consumer('node-1'), await cluster.consumer('node-2')];
  const scheduler = await cluster.scheduler();
  const daemons = [...nodes, scheduler];
  const ports = await Promise.all(daemons.map(healthPort));
  const crawl: Crawl = {
    cluster,
    nodes,
    scheduler,
    pages,
    readiness: () => Promise.all(ports.map(readiness)),
    done: (count, timeoutMs = deadlineMs) =>
      eventually(async () => (await cluster.frontier.census()).done >= count, { timeoutMs, everyMs: 20 }).then(
        () => undefined,
        async (error: unknown) => {
          const last = daemons.map((daemon) => `${daemon.name}:\n${daemon.lines().slice(-6).join('\n')}`);
          throw new Error(
            `not ${count} pages done: ${JSON.stringify(await cluster.frontier.census())}\n${last.join('\n')}`,
            {
              cause: error,
            },
          );
        },
      ),
    async recovered(timeoutMs = deadlineMs) {
      const begun = performance.now();
      const before = (await cluster.frontier.census()).done;
      await eventually(async () => (await crawl.readiness()).every((status) => status === 200), {
        timeoutMs,
        everyMs: 100,
      });
      // On a slow machine the crawl may have ended before every daemon had been asked.
      await crawl.done(Math.min(before + 1, pages), timeoutMs);
      return performance.now() - begun;
    },
    async end(options = {}) {
      await cluster.finished(deadlineMs);
      for (const daemon of daemons) expect(daemon.exit(), daemon.lines().slice(-10).join('\n')).toBeNull();
      expect(await crawl.readiness()).toEqual([200, 200, 200]);
      const audit = await fullAudit(cluster, { pages, ...options });
      expect(takenForDead(daemons), 'a live node was taken for dead').toEqual([]);
      expect((await cluster.frontier.census()).counters, 'a live node was taken for dead').not.toHaveProperty(
        'recovered',
      );
      for (const daemon of daemons)
        expect(await daemon.stop(), daemon.lines().slice(-10).join('\n')).toEqual({ code: 0, signal: null });
      return audit;
    },
  };
  await eventually(async () => (await crawl.readiness()).every((status) => status === 200), { timeoutMs: deadlineMs });
  return crawl;
}

/** Waits until all daemons of a crawl say that they are not ready. */
export async function allUnready(crawl: Crawl, timeoutMs = 30_000): Promise<void> {
  await eventually(async () => (await crawl.readiness()).every((status) => status === 503), { timeoutMs });
}

function takenForDead(daemons: readonly Daemon[]): string[] {
  return daemons.flatMap((daemon) => daemon.lines().filter((line) => /worker \S+ is lost|silent for/u.test(line)));
}

async function healthPort(daemon: Daemon): Promise<number> {
  const line = await daemon.waitForLine(/health: http:\/\/127\.0\.0\.1:\d+/u);
  return Number(/health: http:\/\/127\.0\.0\.1:(\d+)/u.exec(line)?.[1]);
}

async function readiness(port: number): Promise<number> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) })).status;
  } catch {
    return 0;
  }
}

/** A folder for servers of one round alone. */
export function folderOf({ seed }: FaultRun, name: string): string {
  return join(localDirectory(), 'run', `${process.pid}-${randomBytes(4).toString('hex')}`, `${name}-${seed}`);
}
