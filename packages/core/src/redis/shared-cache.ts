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
      await client.set(keys.cache(`${what}:${name}`), value, 'PX', Math.max(1, Math.ceil(ttlMs)));
    },
  };
}
