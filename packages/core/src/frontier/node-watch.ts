import type { Recovery } from './recovery.js';

/** A worker whose heartbeat was seen standing still for so long is dead. */
export const DEAD_AFTER_MS = 15_000;

/** A look that takes so long tells of an outage, not of the nodes. */
const SLOW_LOOK_MS = 1_000;

/**
 * Finds dead workers of other nodes. A heartbeat counts as still only for as long as this process itself has watched it
 * unchanged: after an outage of Redis all heartbeats are old, and nobody is dead.
 */
export interface NodeWatch {
  /** Looks once; recovers who is dead. */
  runOnce(): Promise<readonly { readonly worker: string; readonly tasks: number }[]>;
  /** Forgets what was watched: after Redis was away, watching begins anew. */
  reset(): void;
}

export function createNodeWatch(
  recovery: Recovery,
  { now = () => performance.now(), deadAfterMs = DEAD_AFTER_MS }: { now?: () => number; deadAfterMs?: number } = {},
): NodeWatch {
  let watched = new Map<string, { sign: number; since: number }>();
  let lastLook: number | undefined;
  return {
    async runOnce() {
      const asked = now();
      const signs = await recovery.heartbeats().catch((error: unknown) => {
        // Nobody could give a sign of life.
        watched = new Map();
        throw error;
      });
      const time = now();
      // This process was stopped or cut off itself: what it did not see does not count. Nor does what was before Redis kept
      // us waiting (it stood still, or another master took over): the others waited, too.
      const stoodStill = lastLook !== undefined && time - lastLook > deadAfterMs;
      if (stoodStill || time - asked > SLOW_LOOK_MS) watched = new Map();
      lastLook = time;
      const recovered: { worker: string; tasks: number }[] = [];
      const next = new Map<string, { sign: number; since: number }>();
      for (const [worker, sign] of signs) {
        const before = watched.get(worker);
        const seen = before !== undefined && before.sign === sign ? before : { sign, since: time };
        if (time - seen.since >= deadAfterMs) {
          const result = await recovery.recover(worker, { lastSign: sign });
          if (result.kind === 'recovered') recovered.push({ worker, tasks: result.tasks });
        } else {
          next.set(worker, seen);
        }
      }
      watched = next;
      return recovered;
    },
    reset() {
      watched = new Map();
    },
  };
}
