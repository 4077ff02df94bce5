import { createSharedCache, type RedisClient, type SiteKeys } from '../redis/index.js';

/** Why tasks wait and none ends, as the nodes see it: from inside more can be seen than Redis shows. */
export interface Standstill {
  /** Said again each minute while it lasts; forgotten soon after. */
  tell(reason: string): Promise<void>;
  /** Pages end again. */
  clear(): Promise<void>;
  /** Null: no node has seen the site stand still of late. */
  read(): Promise<string | null>;
}

const KEEP_MS = 90_000;
const REASON = 'reason';

export function createStandstill(client: RedisClient, keys: SiteKeys): Standstill {
  const cache = createSharedCache(client, keys, 'standstill');
  return {
    tell: (reason) => cache.set(REASON, reason, KEEP_MS),
    clear: () => cache.set(REASON, '', 1),
    read: () => cache.get(REASON),
  };
}
