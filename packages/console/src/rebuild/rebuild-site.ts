import { type Database, donePages, listDead } from '@dist-crawl/core/db';
import { openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';

export interface Rebuilt {
  readonly site: string;
  /** Pages that MySQL has as crawled. */
  readonly done: number;
  /** Dead URLs that Redis did not know. */
  readonly dead: number;
}

const BATCH = 500;

/**
 * Writes what MySQL remembers of a site into an empty or incomplete Redis: pages crawled, and URLs given up. May run while
 * work goes on, and again: what is pending stays pending.
 */
export async function rebuildSite(
  redis: RedisClient,
  database: Database,
  { site }: LoadedSite,
  signal: AbortSignal,
): Promise<Rebuilt> {
  const frontier = openFrontier(redis, site);
  let done = 0;
  for (let afterId = 0; ;) {
    signal.throwIfAborted();
    const pages = await donePages(database, site.name, { afterId, limit: BATCH }, { signal });
    const last = pages.at(-1);
    if (last === undefined) break;
    afterId = last.id;
    done += pages.length;
    await frontier.doneStore.remember(
      pages.flatMap(({ url, finalUrl }) => (finalUrl === null ? [url] : [url, finalUrl])),
    );
  }
  let dead = 0;
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const letters = await listDead(database, { site: site.name, limit: BATCH, after }, { signal });
    const last = letters.at(-1);
    if (last === undefined) break;
    after = last.id;
    dead += await frontier.repair.rememberDead(letters.map(({ url }) => url));
  }
  return { site: site.name, done, dead };
}
