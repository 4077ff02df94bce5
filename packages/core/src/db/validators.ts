import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import { urlHashOf } from './row-key.js';
import { pages } from './schema.js';

/** What the server said of a page when it was crawled last. */
export interface PageValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The URL that gave them. */
  readonly of: string;
}

/**
 * Validators of those of the URLs that were crawled before, read by the same rules, and gave any. One query, of at most a
 * thousand URLs.
 */
export async function pageValidators(
  database: Database,
  site: string,
  urls: readonly string[],
  { rulesHash, ...options }: CallOptions & { readonly rulesHash: Buffer },
): Promise<Map<string, PageValidators>> {
  if (urls.length === 0) return new Map();
  const rows = await database.run(
    async (session) =>
      await session
        .select({
          url: pages.url,
          finalUrl: pages.finalUrl,
          etag: pages.etag,
          lastModified: pages.lastModified,
        })
        .from(pages)
        .where(
          and(
            eq(pages.site, site),
            inArray(pages.urlHash, urls.map(urlHashOf)),
            eq(pages.outcome, 'ok'),
            eq(pages.rulesHash, rulesHash),
            or(isNotNull(pages.etag), isNotNull(pages.lastModified)),
          ),
        ),
    options,
  );
  return new Map(
    rows.map(({ url, finalUrl, etag, lastModified }) => [url, { etag, lastModified, of: finalUrl ?? url }]),
  );
}

/** A page that was asked for again and had not changed. */
export interface UnchangedPage {
  readonly site: string;
  readonly url: string;
  readonly node: string;
  readonly crawlTime: Date;
}

/** Notes that pages were crawled again; their rows, hash and validators stay as they are. */
export async function saveUnchanged(
  database: Database,
  batch: readonly UnchangedPage[],
  options: CallOptions = {},
): Promise<void> {
  await database.transaction(async (session) => {
    // In one order, so that two writers do not wait for each other.
    const ordered = batch
      .map((page) => ({ ...page, urlHash: urlHashOf(page.url) }))
      .toSorted((a, b) => Buffer.compare(a.urlHash, b.urlHash));
    for (const { site, urlHash, node, crawlTime } of ordered) {
      await session
        .update(pages)
        .set({
          sourceNode: node,
          // Done again: the month in which it was archived is past. archive_pending stays, as with a page that changed.
          archivedMonth: null,
          lastCrawled: sql`greatest(${pages.lastCrawled}, ${crawlTime.toISOString().replace('T', ' ').slice(0, 23)})`,
        })
        .where(and(eq(pages.site, site), eq(pages.urlHash, urlHash)));
    }
  }, options);
}
