import type { Frontier } from '@dist-crawl/core/frontier';
import { createSharedCache, type RedisClient } from '@dist-crawl/core/redis';
import type { JobName } from '../jobs/job.js';

/** Whether a run is wanted when a scheduler starts, apart from the ticks to come. */
export type LookBack =
  /** The last run came to its end, and no tick after it was missed. */
  | 'in time'
  /** No scheduler was there at a tick. */
  | 'missed'
  /** The last run was stopped, crashed or failed before its end. */
  | 'cut short';

/** What all schedulers of a site know about the last run of a job. Losing it costs nothing: the next tick comes. */
export interface RunMemory {
  begun(intervalMs: number): Promise<void>;
  ended(intervalMs: number): Promise<void>;
  /** @param intervalMs - between two ticks. A site seen for the first time has missed nothing. */
  lookBack(intervalMs: number): Promise<LookBack>;
}

/** So many intervals without a run, and a tick was missed: one, and some tolerance for months of unequal length. */
const MISSED_INTERVALS = 1.5;
const KEPT_INTERVALS = 12;

export function createRunMemory(redis: RedisClient, frontier: Frontier, job: JobName): RunMemory {
  const cache = createSharedCache(redis, frontier.keys, 'job');
  const write = async (state: 'running' | 'done', intervalMs: number): Promise<void> => {
    const { now } = await frontier.census();
    await cache.set(job, `${state} ${now}`, intervalMs * KEPT_INTERVALS);
  };
  return {
    begun: (intervalMs) => write('running', intervalMs),
    ended: (intervalMs) => write('done', intervalMs),
    async lookBack(intervalMs) {
      const [, state, time] = /^(running|done) (\d+)$/.exec((await cache.get(job)) ?? '') ?? [];
      if (state === 'running') return 'cut short';
      const { now } = await frontier.census();
      // Unknown, or in the future, as after a restore of an old Redis: counted from now on.
      if (time === undefined || Number(time) > now) {
        await write('done', intervalMs);
        return 'in time';
      }
      return now - Number(time) > MISSED_INTERVALS * intervalMs ? 'missed' : 'in time';
    },
  };
}
