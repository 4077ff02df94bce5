import cluster from 'node:cluster';
import { runDaemon } from '@dist-crawl/core/runtime';
import { composePrimary } from './primary/compose.js';
import { composeWorker } from './worker/compose.js';

/** One program, two roles: the primary keeps workers alive and their leases fresh, the workers crawl. */
if (cluster.isPrimary) {
  await runDaemon({ compose: composePrimary });
} else {
  // Ctrl-C reaches the whole process group: workers stop when their primary says so.
  await runDaemon({ compose: composeWorker, signals: 'ignored' });
}
