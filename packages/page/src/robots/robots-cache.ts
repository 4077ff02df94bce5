/** Where fetched robots.txt files are kept between processes. Values are opaque text; a value that is gone is fetched again. */
export interface RobotsCache {
  get(origin: string): Promise<string | null>;
  set(origin: string, value: string, ttlMs: number): Promise<void>;
}

/** A cache for one process: `try`, tests, and whoever has nothing to share it in. */
export function createMemoryRobotsCache(maxOrigins = 1000): RobotsCache {
  const values = new Map<string, { value: string; until: number }>();
  return {
    get: async (origin) => {
      const found = values.get(origin);
      return found !== undefined && found.until > Date.now() ? found.value : null;
    },
    set: async (origin, value, ttlMs) => {
      values.delete(origin);
      values.set(origin, { value, until: Date.now() + ttlMs });
      const oldest = values.keys().next().value;
      if (values.size > maxOrigins && oldest !== undefined) values.delete(oldest);
    },
  };
}
