import type { Database } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';

/** Of other programs: producers, schedulers, whoever looks at the data. */
const OTHERS = 10;

/**
 * Warns at start when the nodes at work and this one may want more connections than MySQL allows, taking it that all have
 * the settings of this one.
 */
export async function checkConnectionBudget(
  database: Database,
  frontiers: readonly Frontier[],
  { processNum, dbPoolSize }: { processNum: number; dbPoolSize: number },
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const allowed = await database.maxConnections(signal);
  const nodes = new Set<string>();
  const workers = new Set<string>();
  for (const frontier of frontiers) {
    for (const { worker } of (await frontier.census()).workers) {
      workers.add(worker);
      nodes.add(worker.slice(0, worker.lastIndexOf('~')));
    }
  }
  const allWorkers = workers.size + processNum;
  const allNodes = nodes.size + 1;
  const needed = allWorkers * dbPoolSize + allNodes + OTHERS;
  if (needed <= allowed) return;
  logger.warn(
    { allowed, needed, nodes: allNodes, workers: allWorkers, dbPoolSize },
    `MySQL allows ${allowed} connections; ${allNodes} ${allNodes === 1 ? 'node' : 'nodes'} with ${allWorkers} workers and ` +
      `DB_POOL_SIZE ${dbPoolSize} may want ${needed}: raise max_connections, or lower PROCESS_NUM or DB_POOL_SIZE`,
  );
}
