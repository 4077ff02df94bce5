import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import type { WorkerPool } from './worker-pool.js';
import type { WorkerProcess } from './worker-process.js';
import type { CanonicalUrl } from '@dist-crawl/core/url';

/** Signs of life go out so often; a node is taken for dead after 15 s without one. */
export const KEEP_EVERY_MS = 3_000;

/**
 * Renews the leases of all workers, and speaks for them as long as their processes live: a worker whose event loop is
 * blocked by a long parse loses nothing.
 */
export async function keepLeases(
  pool: WorkerPool,
  frontiers: ReadonlyMap<string, Frontier>,
  logger: Logger,
): Promise<void> {
  for (const worker of pool.workers) {
    if (worker.id === undefined) continue;
    for (const [site, frontier] of frontiers) await keep(worker, worker.id, site, frontier);
  }

  async function keep(worker: WorkerProcess, id: string, site: string, frontier: Frontier): Promise<void> {
    if (worker.id !== id) return;
    const held = worker.heldTasks(site).map(({ url, token }) => ({ url: url as CanonicalUrl, token }));
    const result = await frontier.leases.renew(id, held);
    if (worker.id !== id) return;
    switch (result.kind) {
      case 'unregistered':
        logger.warn(
          { site, worker: id, held: held.length },
          `worker ${id} is off the register (taken for dead, or Redis lost its data); it starts anew`,
        );
        await pool.register(worker);
        return;
      case 'renewed':
        if (result.unheld > 0) {
          logger.warn({ site, worker: id }, `${result.unheld} tasks that nobody held are back in the queue`);
        }
        if (result.lost.length > 0) {
          const lost = new Set(result.lost);
          worker.send({ type: 'lost', tokens: held.filter(({ url }) => lost.has(url)).map(({ token }) => token) });
        }
    }
  }
}
