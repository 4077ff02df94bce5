import type { RedisClient, ScriptRunner, SiteKeys } from '../redis/index.js';
import * as scripts from './scripts.js';

/** At so many deaths of a worker while it parsed a page, the page fails with kind `worker-crash`. */
const MAX_CRASHES = 3;
const BATCH = 500;

export interface Recovery {
  /** Worker → last sign of life, ms of Redis' clock. Rejects where Redis takes no signs of life. */
  heartbeats(): Promise<ReadonlyMap<string, number>>;
  /**
   * Puts what a worker held back in the queue and takes it off the register.
   * @param death.lastSign - the heartbeat that was watched standing still: the script checks that it still stands there
   * @param death.suspect - known dead process: the URL that was being parsed, charged with the crash
   * @returns how many tasks went back, or that the worker is alive after all
   */
  recover(
    worker: string,
    death: { lastSign: number } | { processDied: true; suspect?: string | undefined },
  ): Promise<{ kind: 'alive' } | { kind: 'recovered'; tasks: number }>;
}

export function createRecovery(runner: ScriptRunner, client: RedisClient, keys: SiteKeys): Recovery {
  return {
    async heartbeats() {
      // A write that changes nothing: refused when the heartbeats of live workers are (full disk, a replica), so that a still
      // heartbeat is only ever seen where it could have moved. Full memory refuses neither.
      await client.zrem(keys.workers, '');
      const flat = await client.zrange(keys.workers, 0, '-1', 'WITHSCORES');
      const signs = new Map<string, number>();
      for (let i = 0; i + 1 < flat.length; i += 2) signs.set(String(flat[i]), Number(flat[i + 1]));
      return signs;
    },
    async recover(worker, death) {
      const args = {
        worker,
        last_sign: 'lastSign' in death ? death.lastSign : '',
        lock_prefix: keys.lockPrefix,
        suspect: 'suspect' in death ? (death.suspect ?? '') : '',
        max_crashes: MAX_CRASHES,
        limit: BATCH,
      };
      let tasks = 0;
      for (;;) {
        const [kind, moved, left] = await runner.run(scripts.recover, {
          keys: { inFlight: keys.inFlight(worker) },
          args,
        });
        if (kind === 'alive') return { kind };
        tasks += moved;
        if (left === 0) return { kind, tasks };
      }
    },
  };
}
