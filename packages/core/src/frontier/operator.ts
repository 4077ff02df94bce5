import type { RedisClient, SiteKeys } from '../redis/index.js';

/** What an operator does to a site by hand. */
export interface Operator {
  /** No task of the site is given out until `resume`. Tasks in flight go on. */
  hold(reason: string): Promise<void>;
  /** Ends a hold and an automatic pause. */
  resume(): Promise<void>;
}

export function createOperator(client: RedisClient, keys: SiteKeys): Operator {
  return {
    async hold(reason) {
      await client.hset(keys.pace, 'held', reason);
    },
    async resume() {
      await client.hdel(keys.pace, 'held', 'paused_until', 'level', 'barren');
    },
  };
}
