import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  openFrontier,
  type Dedup,
  type Frontier,
  type FrontierSite,
  type Pace,
  type Task,
} from '../../../src/frontier/index.js';
import { connectRedis, type RedisClient } from '../../../src/redis/index.js';
import type { CanonicalUrl } from '../../../src/url/index.js';

export interface Bench {
  readonly client: RedisClient;
  /** A frontier of its own, with a clock that stands until `now` is set. */
  open(options?: { pace?: Partial<Pace>; dedup?: Dedup; limits?: Partial<FrontierSite> }): Bench.Site;
}

export namespace Bench {
  export interface Site extends Frontier {
    now: number;
    /** Claims and gives the tasks, or the answer where there are none. */
    take(worker: string, limit?: number): Promise<readonly Task[]>;
    /** The same site, as another process has it. */
    same(): Frontier;
  }
}

export const urls = (count: number, from = 0): CanonicalUrl[] =>
  Array.from({ length: count }, (_, index) => `http://shop.test/p/${from + index}` as CanonicalUrl);

const SET: Dedup = { store: 'set' };

/** A connection for the tests of one file. */
export function useBench(): Bench {
  let client: RedisClient | undefined;
  beforeAll(() => {
    client = connectRedis({ url: inject('redisUrl'), name: 'test' });
  });
  afterAll(async () => {
    await client?.quit();
  });
  const connected = (): RedisClient => {
    if (client === undefined) throw new Error('used before the tests began');
    return client;
  };
  return {
    get client() {
      return connected();
    },
    open({ pace, dedup = SET, limits = {} } = {}) {
      let request = 0;
      const clock = { now: 1_800_000_000_000 };
      const site: FrontierSite = {
        name: 'bench',
        namespace: `bench:${randomUUID()}`,
        dedup,
        ...limits,
        pace: { ratePerSecond: null, burst: 1, concurrency: 1000, ...pace },
      };
      const same = (): Frontier => openFrontier(connected(), site, { clock: () => clock.now });
      const frontier = same();
      return Object.assign(clock, frontier, {
        same,
        async take(worker: string, limit = 10) {
          request += 1;
          const result = await frontier.leases.claim(worker, request, limit);
          return result.kind === 'tasks' ? result.tasks : [];
        },
      });
    },
  };
}
