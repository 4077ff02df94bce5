import type { Logger } from '@dist-crawl/core/logging';
import type { WorkerPool } from './worker-pool.js';

/** A worker that was never heard of is still loading its program, which takes its time on a busy machine. */
const START_MS = 60_000;

/** Asks every worker whether it answers, and kills one that has been silent for too long; the pool replaces it. */
export function createWatchdog(pool: WorkerPool, silenceMs: number, logger: Logger): () => void {
  let ping = 0;
  let lastRun = performance.now();
  return () => {
    const now = performance.now();
    // The primary itself stood still (SIGSTOP, a suspended machine): nobody could answer it.
    const stoodStill = now - lastRun > silenceMs / 2;
    lastRun = now;
    ping += 1;
    for (const worker of pool.workers) {
      if (stoodStill) worker.lastAnswer = now;
      const silent = now - worker.lastAnswer;
      if (silent > (worker.wasHeard ? silenceMs : Math.max(silenceMs, START_MS))) {
        logger.error(
          { worker: worker.id, parsing: worker.parsing?.url },
          `worker ${worker.id ?? ''} has not answered for ${Math.round(silent / 1000)} s and is replaced`,
        );
        worker.process.process.kill('SIGKILL');
      } else {
        worker.send({ type: 'ping', ping });
      }
    }
  };
}
