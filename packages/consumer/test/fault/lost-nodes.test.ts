import { eventually, type Daemon } from '@dist-crawl/testbed';
import { describe, expect } from 'vitest';
import { startCluster, type Cluster } from '../e2e/cluster.js';
import { faultCase, type FaultRun } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { ended, heldBy, refusals, registered, timeUntil, workersOf } from './processes.js';

/** A lost node's tasks are back in less than 20 s; the bound leaves room for a machine under load. */
const PATIENCE_MS = 60_000;
const SITE = ['pace: { rate: 20/s, concurrency: 24 }'];

describe('a node that is lost', () => {
  faultCase('to SIGKILL of its process group', { fault: 'SIGKILL of a whole node', concurrent: true }, (run) =>
    loseNode(run, (node) => node.signalGroup('SIGKILL')),
  );

  faultCase('to SIGKILL of its primary alone', { fault: 'SIGKILL of a primary', concurrent: true }, async (run) =>
    loseNode(run, async (node) => {
      const workers = await workersOf(node);
      node.signal('SIGKILL');
      // Nobody renews their leases any more: they end with it.
      await eventually(async () => (await Promise.all(workers.map(isGone))).every(Boolean), { timeoutMs: 20_000 });
    }),
  );

  faultCase(
    'to SIGSTOP past its lease and back with SIGCONT: late results are refused, and it goes on',
    { fault: 'SIGSTOP of a whole node past its lease, then SIGCONT', concurrent: true },
    async (run) => {
      const pages = run.pages(700);
      const cluster = await startNodes(run, pages);
      await ended(cluster, run.random.between(10, 60));
      const before = await registered(cluster, 'node-1');
      const [node] = cluster.nodes;
      // In the moment of the stop it must hold something, else there is nothing to be late with.
      await eventually(async () => (await heldBy(cluster, 'node-1~')) > 0, { timeoutMs: 20_000, everyMs: 5 });
      node?.signalGroup('SIGSTOP');
      const recoveryMs = [await timeUntil(() => allGone(cluster, before), PATIENCE_MS)];
      node?.signalGroup('SIGCONT');
      await eventually(async () => (await registered(cluster, 'node-1')).length === before.length, {
        timeoutMs: PATIENCE_MS,
      });
      expect(before).not.toContain((await registered(cluster, 'node-1'))[0]);
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages });
      const stops = await Promise.all(cluster.nodes.map((each) => each.stop()));
      expect(stops.map(({ code }) => code)).toEqual(cluster.nodes.map(() => 0));
      const refused = refusals(cluster.nodes);
      expect(refused, 'late results refused').toBeGreaterThan(0);
      run.record({ audit, strikes: 1, recoveryMs, refused });
    },
  );
});

async function startNodes(run: FaultRun, pages: number): Promise<Cluster & { nodes: Daemon[] }> {
  const cluster = await startCluster({ shop: { pages }, site: SITE });
  run.cleanUp(() => cluster.stop());
  await cluster.produce('--pages', `1-${pages}`);
  const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => cluster.consumer(tag)));
  await eventually(async () => (await registered(cluster)).length === 4, { timeoutMs: 120_000 });
  return { ...cluster, nodes };
}

/** One of two nodes goes, with all its workers, and another one of the same tag comes: nothing is shared between them. */
async function loseNode(run: FaultRun, strike: (node: Daemon) => Promise<void> | void): Promise<void> {
  const pages = run.pages(400);
  const cluster = await startNodes(run, pages);
  await ended(cluster, run.random.between(10, 120));
  const before = await registered(cluster, 'node-1');
  const [node] = cluster.nodes;
  if (node === undefined) throw new Error('no node');
  await strike(node);
  const restarted = cluster.consumer('node-1');
  const recoveryMs = [await timeUntil(() => allGone(cluster, before), PATIENCE_MS)];
  await cluster.finished(200_000);
  run.record({ audit: await fullAudit(cluster, { pages }), strikes: 1, recoveryMs });
  for (const each of [cluster.nodes[1], await restarted]) expect((await each?.stop())?.code).toBe(0);
}

async function allGone(cluster: Cluster, ids: readonly string[]): Promise<boolean> {
  const now = new Set(await registered(cluster));
  return ids.every((id) => !now.has(id));
}

const isGone = async (pid: number): Promise<boolean> => {
  const { readFile } = await import('node:fs/promises');
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return state === null || state.includes(') Z ');
};
