import type { RedisClient, SiteKeys } from '../redis/index.js';
import type { HandPace } from './pace-now.js';
import type { Standstill } from './standstill.js';

/** What an operator does to a site by hand. */
export interface Operator {
  /** No task of the site is given out until `resume`. Tasks in flight go on. */
  hold(reason: string): Promise<void>;
  /** Ends a hold and an automatic pause. */
  resume(): Promise<void>;
  /** Sets the site's pace for all nodes at once, whatever the site file says; what is left out stays. */
  setPace(pace: HandPace): Promise<void>;
  /** The site file's pace again. */
  resetPace(): Promise<void>;
}

export function createOperator(client: RedisClient, keys: SiteKeys, standstill: Standstill): Operator {
  return {
    async hold(reason) {
      await client.hset(keys.pace, 'held', reason);
    },
    async resume() {
      await client.hdel(keys.pace, 'held', 'paused_until', 'level', 'barren', 'unanswered');
      // what nodes said of the hold is over, too
      await standstill.clear();
    },
    async setPace({ ratePerSecond, concurrency }) {
      const fields = {
        ...(ratePerSecond === undefined ? {} : { rate: ratePerSecond ?? 0 }),
        ...(concurrency === undefined ? {} : { concurrency }),
      };
      if (Object.keys(fields).length > 0) await client.hset(keys.pace, fields);
    },
    async resetPace() {
      await client.hdel(keys.pace, 'rate', 'concurrency');
    },
  };
}
