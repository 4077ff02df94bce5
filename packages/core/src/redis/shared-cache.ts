import type { RedisClient } from './connect.js';
import type { SiteKeys } from './keys.js';

/** Text that all nodes share and that may be gone at any time, such as a site's robots.txt. */
export interface SharedCache {
  get(name: string): Promise<string | null>;
  set(name: string, value: string, ttlMs: number): Promise<void>;
}

/** @param what - what is kept, the first part of the keys: `robots` */
export function createSharedCache(client: RedisClient, keys: SiteKeys, what: string): SharedCache {
  return {
    get: (name) => client.get(keys.cache(`${what}:${name}`)),
    async set(name, value, ttlMs) {
      try {
        await client.set(keys.cache(`${what}:${name}`), value, 'PX', Math.max(1, Math.ceil(ttlMs)));
      } catch (error) {
        // A full Redis: as if it had been lost at once.
        if (!(error instanceof Error && error.message.startsWith('OOM'))) throw error;
      }
    },
  };
}
