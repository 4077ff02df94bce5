import { pageValidators, type Database } from '@dist-crawl/core/db';
import type { Task } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { entryUrls, type Site } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { Validators } from '@dist-crawl/page';

/** What servers said of pages when they were crawled before; by URL. */
export type EarlierVisits = ReadonlyMap<string, Validators>;

/** A page that is asked for without validators costs the site a little more: nothing to wait long for. */
const TIMEOUT_MS = 2_000;

/**
 * Looks up the tasks of one claim in one query, and only those that are crawled afresh: others have no page to look up. Where
 * a range may end the page itself is needed, to tell whether it has goods of its own; entry pages are needed for their links,
 * which Redis may have lost since. Never rejects.
 */
export function createEarlierVisits({
  database,
  site: { name: site, ...entryPages },
  rulesHash,
  logger,
}: {
  readonly database: Database;
  readonly site: Pick<Site, 'name' | 'base' | 'entries' | 'trackingParameters'>;
  readonly rulesHash: Buffer;
  readonly logger: Logger;
}): (tasks: readonly Task[]) => Promise<EarlierVisits> {
  const entries: ReadonlySet<string> = new Set(entryUrls(entryPages));
  return async (tasks) => {
    const fresh = tasks.filter(
      ({ url, record }) => record.fresh === true && record.mayEnd === undefined && !entries.has(url),
    );
    if (fresh.length === 0) return new Map();
    const urls = fresh.map(({ url }) => url);
    try {
      const found = await pageValidators(database, site, urls, { rulesHash, timeoutMs: TIMEOUT_MS });
      return new Map([...found].map(([url, { of, ...rest }]) => [url, { ...rest, of: of as CanonicalUrl }]));
    } catch (error) {
      logger.debug(
        { err: error, site },
        'pages are asked for as if for the first time: MySQL does not tell their validators',
      );
      return new Map();
    }
  };
}
