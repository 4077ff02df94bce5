import { countDead, type Database } from '@dist-crawl/core/db';
import { type Census, type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { siteStatus, type SiteStatus } from './site-status.js';

/** What `crawl status` must not wait long for: without MySQL it shows all but the kinds of dead URLs. */
const DEAD_COUNT_TIMEOUT_MS = 3_000;

/** Looks at sites again and again; each look remembers the one before, for the rate. */
export interface Observer {
  /** Only the censuses, to have something to measure the next look's rate from. */
  glance(): Promise<void>;
  look(signal: AbortSignal): Promise<readonly SiteStatus[]>;
}

export function createObserver(redis: RedisClient, database: Database, sites: readonly LoadedSite[]): Observer {
  const watched = sites.map(({ site }) => ({
    site,
    frontier: openFrontier(redis, site),
    earlier: undefined as Census | undefined,
  }));
  return {
    async glance() {
      for (const each of watched) each.earlier = await each.frontier.census();
    },
    async look(signal) {
      return Promise.all(
        watched.map(async (each) => {
          const census = await each.frontier.census();
          const deadByKind = census.dead === 0 ? {} : await deadKinds(database, each.frontier, signal);
          const proxies = each.site.proxies === undefined ? [] : await each.frontier.proxies.read();
          const standstill = census.waiting === 0 ? null : await each.frontier.standstill.read();
          const scheduler = await each.frontier.schedulers.read();
          const { earlier } = each;
          const status = siteStatus(each.site, census, { earlier, deadByKind, proxies, standstill, scheduler });
          each.earlier = census;
          return status;
        }),
      );
    },
  };
}

async function deadKinds(
  database: Database,
  { site }: Frontier,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>> | null> {
  try {
    return (await countDead(database, { site }, { signal, timeoutMs: DEAD_COUNT_TIMEOUT_MS })).byKind;
  } catch (error) {
    if (signal.aborted) throw error;
    return null; // MySQL is away, or has no tables yet: the status says so
  }
}
