import { createNodeWatch, DEAD_AFTER_MS, type Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { counted } from './job.js';

export interface RecoverJob {
  readonly frontier: Frontier;
  /** Looks at all heartbeats once. A worker is given up when it was watched without one for 15 s, over several looks. */
  runOnce(): Promise<readonly { readonly worker: string; readonly tasks: number }[]>;
  /** Redis was away: heartbeats could not be sent, so watching begins anew. */
  reset(): void;
}

/** Puts back in the queue what the workers of a lost node held. Any number of schedulers and consumers may watch. */
export function createRecoverJob({ frontier, logger }: { frontier: Frontier; logger: Logger }): RecoverJob {
  const { site, recovery } = frontier;
  const watch = createNodeWatch(recovery);
  let outages = 0;
  return {
    frontier,
    async runOnce() {
      const before = outages;
      const recovered = await watch.runOnce();
      // An outage in mid look: what the look wrote down at its end is of no use.
      if (outages !== before) watch.reset();
      for (const { worker, tasks } of recovered) {
        const silence = `${DEAD_AFTER_MS / 1000} s`;
        const message = `${site}: worker ${worker} silent for ${silence}: ${counted(tasks, 'task')} back in the queue`;
        logger[tasks > 0 ? 'warn' : 'info']({ site, worker, tasks }, message);
      }
      return recovered;
    },
    reset() {
      outages += 1;
      watch.reset();
    },
  };
}
