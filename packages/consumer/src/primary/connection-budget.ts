import type { Database } from '@dist-crawl/core/db';
import type { Logger } from '@dist-crawl/core/logging';

/** Warns when this node alone, or two of its kind, could use up the connections that MySQL allows. */
export async function checkConnectionBudget(
  database: Database,
  { processNum, dbPoolSize }: { processNum: number; dbPoolSize: number },
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const allowed = await database.maxConnections(signal);
  const needed = processNum * dbPoolSize + 1;
  if (needed <= allowed / 2) return;
  logger.warn(
    { allowed, needed },
    `MySQL allows ${allowed} connections; this node may take ${needed} (PROCESS_NUM ${processNum} × DB_POOL_SIZE ${dbPoolSize} + 1): ` +
      'lower one of them or raise max_connections before more nodes are added',
  );
}
