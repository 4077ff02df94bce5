import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { eventually, spawnDaemon, type Daemon } from '@dist-crawl/testbed';
import type { Cluster } from '../e2e/cluster.js';

const crawlEntry = fileURLToPath(new URL('../../../console/dist/main.js', import.meta.url));

/** Runs a `crawl` command to its end. */
export async function runCrawl(cluster: Cluster, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = await spawnDaemon({
    name: 'crawl',
    entry: crawlEntry,
    args,
    env: cluster.env,
    cwd: cluster.sitesDir,
  });
  const { code } = await command.exited;
  return { code, output: command.lines().join('\n') };
}

/** Worker processes of a primary; empty when it is gone. */
export async function workersOf({ pid }: Daemon): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** False where the process was gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Worker ids on the register, those of one node or all. */
export async function registered(cluster: Cluster, nodeTag = ''): Promise<string[]> {
  const ids = await cluster.redis.zrange(cluster.frontier.keys.workers, 0, '-1');
  return ids.filter((id) => nodeTag === '' || id.startsWith(`${nodeTag}~`));
}

/** Tasks in flight of one worker or, by the beginning of their ids, of all of a node. */
export async function heldBy(cluster: Cluster, workerPrefix: string): Promise<number> {
  let held = 0;
  for (const id of await registered(cluster)) {
    if (id.startsWith(workerPrefix)) held += await cluster.redis.hlen(cluster.frontier.keys.inFlight(id));
  }
  return held;
}

/** Waits until so many pages are done, one way or the other. */
export async function ended(cluster: Cluster, pages: number, timeoutMs = 120_000): Promise<void> {
  await eventually(
    async () => {
      const { done, dead } = await cluster.frontier.census();
      return done + dead >= pages;
    },
    { timeoutMs, everyMs: 20 },
  ).catch(async (error: unknown) => {
    throw new Error(`not ${pages} pages done: ${JSON.stringify(await cluster.frontier.census())}\n${cluster.tail()}`, {
      cause: error,
    });
  });
}

/** How long it takes until `check` holds, ms. */
export async function timeUntil(check: () => Promise<boolean>, timeoutMs: number): Promise<number> {
  const begun = performance.now();
  await eventually(check, { timeoutMs, everyMs: 20 });
  return performance.now() - begun;
}

/** The reports of nodes say how many results came too late. */
export function refusals(nodes: readonly Daemon[]): number {
  return nodes
    .flatMap((node) => node.lines())
    .map((line) => Number(/(\d+) lost to other workers/.exec(line)?.[1] ?? 0))
    .reduce((sum, count) => sum + count, 0);
}
