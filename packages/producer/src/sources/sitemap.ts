import type { Env } from '@dist-crawl/core/config';
import type { Logger } from '@dist-crawl/core/logging';
import type { Site } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { createSitemapReader, type RobotsCache, type SitemapReport } from '@dist-crawl/page';
import { isIn, type Shard } from '../shard.js';
import type { LISTED } from '../sitemap-url.js';
import type { Candidate, Source } from './source.js';

/** How a producer asks a site for something itself. */
export interface Manners {
  /** Waits for the next place in the site's pace. */
  readonly place: (signal: AbortSignal) => Promise<void>;
  readonly robotsCache?: RobotsCache | undefined;
  readonly contact?: string | undefined;
  /** What `${NAME}` in site files stands for. */
  readonly env: Env;
  readonly logger: Logger;
}

export interface SitemapOrder {
  readonly start: CanonicalUrl | typeof LISTED;
  readonly shard: Shard;
}

/**
 * The pages that sitemaps, their indexes and feeds name. Files are read one at a time, and the next one only when the pages of
 * the last are queued. Shards go by the place of a page in all that is read.
 */
export function sitemapSource(site: Site, { start, shard }: SitemapOrder, manners: Manners): Source {
  const { robotsCache, contact, env, logger } = manners;
  return {
    name: start === 'listed' ? 'sitemaps' : `sitemap ${start}`,
    total: undefined,
    async *candidates(signal) {
      const reader = createSitemapReader({ site, robotsCache, contact, env, logger });
      try {
        const starts = start === 'listed' ? listed(site, await reader.listed(signal)) : [start];
        const beforeRequest = (): Promise<void> => manners.place(signal);
        let place = 0;
        let read = 0;
        let trouble = 'none is named';
        for await (const report of reader.read(starts, { signal, beforeRequest })) {
          if (report.outcome !== 'read') {
            trouble = `${report.url}: ${report.message}`;
            logger.warn({ url: report.url, kind: report.outcome }, `a sitemap could not be read: ${trouble}`);
            continue;
          }
          read += 1;
          for (const candidate of candidatesOf(report)) {
            place += 1;
            if (isIn(shard, place)) yield candidate;
          }
        }
        signal.throwIfAborted();
        if (read === 0) throw new Error(`${site.name}: no sitemap could be read (${trouble})`);
      } finally {
        await reader.close();
      }
    },
  };
}

/** What robots.txt names; where it names nothing, the usual place. */
function listed({ base }: Site, named: readonly CanonicalUrl[]): readonly CanonicalUrl[] {
  if (named.length > 0) return named;
  const usual = canonicalize('/sitemap.xml', { base });
  return usual === null ? [] : [usual];
}

function* candidatesOf(report: Extract<SitemapReport, { outcome: 'read' }>): Generator<Candidate> {
  for (const url of report.pages) yield { text: url, url };
  // Entries that are no URL are counted like the lines of a list that are none.
  for (let count = 0; count < report.invalid; count += 1) yield { text: `an entry of ${report.url}` };
}
