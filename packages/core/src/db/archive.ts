import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import { knownUrls } from './known-urls.js';
import { pages } from './schema.js';
import type { Session } from './session-pool.js';

/*
 * The archive moves what was done long ago out of Redis' done set; its memory is dist_crawl_pages. A URL must be
 * known to one of the two at any moment, and a crash may come between any two steps:
 *
 *   1. archiveBatch    month and archive_pending are written and committed      known to both
 *   2. the caller      removes the URLs from the set                            known here
 *   3. finishArchive   clears archive_pending, unless the page was crawled
 *                      again meanwhile: then step 2 may have removed a URL that
 *                      had just been added                                      known here (archive_pending)
 *   4. the caller      adds those to the set again                              known to both
 *   5. confirmRestored clears their archive_pending                             known to the set
 *
 * After a crash the next run takes up with pendingArchive at step 2; each step may be repeated. A crawl that commits
 * after step 3 has read adds its URL to the set after its commit, so after step 2, and nothing is lost.
 * The target of a redirect is done like the URL itself, and goes the same way with it.
 */

/** A page on its way out of the done set. */
export interface ArchivedPage {
  readonly id: number;
  readonly url: string;
  /** Where the page redirected to; done with it. */
  readonly finalUrl: string | null;
}

export interface FinishedArchive {
  /** Pages that are through. */
  readonly finished: number;
  /** URLs that must be in the done set, and the pages to confirm once they are. */
  readonly restore: { readonly urls: readonly string[]; readonly ids: readonly number[] };
}

const archived = { id: pages.id, url: pages.url, finalUrl: pages.finalUrl };

/** Step 1: gives up to `limit` pages last crawled before `cutoff` their month (UTC), oldest first. */
export async function archiveBatch(
  database: Database,
  site: string,
  cutoff: Date,
  limit: number,
  options: CallOptions = {},
): Promise<ArchivedPage[]> {
  return await database.transaction(async (session) => {
    const batch = await session
      .select(archived)
      .from(pages)
      .where(and(eq(pages.site, site), isNull(pages.archivedMonth), lt(pages.lastCrawled, cutoff)))
      .orderBy(asc(pages.lastCrawled))
      .limit(limit)
      .for('update');
    if (batch.length > 0) {
      await session
        .update(pages)
        .set({ archivedMonth: sql`date_format(${pages.lastCrawled}, '%Y-%m')`, archivePending: true })
        .where(inArray(pages.id, idsOf(batch)));
    }
    return batch;
  }, options);
}

/** Pages of which an earlier run may not have come to its end: the caller goes on with step 2. */
export async function pendingArchive(
  database: Database,
  site: string,
  limit: number,
  options: CallOptions = {},
): Promise<ArchivedPage[]> {
  return await database.run(
    async (session) =>
      await session
        .select(archived)
        .from(pages)
        .where(and(eq(pages.site, site), eq(pages.archivePending, true)))
        .orderBy(asc(pages.id))
        .limit(limit),
    options,
  );
}

/** Step 3, after the URLs left the done set. */
export async function finishArchive(
  database: Database,
  site: string,
  ids: readonly number[],
  options: CallOptions = {},
): Promise<FinishedArchive> {
  return await database.run(async (session) => {
    if (ids.length === 0) return { finished: 0, restore: { urls: [], ids: [] } };
    const batch = await session
      .select(archived)
      .from(pages)
      .where(and(eq(pages.site, site), eq(pages.archivePending, true), inArray(pages.id, [...ids])));
    const alive = await knownUrls(session, site, batch.flatMap(urlsOf), isNull(pages.archivedMonth));
    const restored = batch.filter((page) => urlsOf(page).some((url) => alive.has(url)));
    const through = batch.filter((page) => !restored.includes(page));
    await clearPending(session, idsOf(through));
    const urls = new Set(restored.flatMap(urlsOf).filter((url) => alive.has(url)));
    return { finished: through.length, restore: { urls: [...urls], ids: idsOf(restored) } };
  }, options);
}

/** Step 5, after the URLs that finishArchive named are in the done set again. */
export async function confirmRestored(
  database: Database,
  ids: readonly number[],
  options: CallOptions = {},
): Promise<void> {
  await database.run(async (session) => await clearPending(session, [...ids]), options);
}

/** Which of the URLs the archive has, so that a producer can treat them as done. */
export async function isArchived(
  database: Database,
  site: string,
  urls: readonly string[],
  options: CallOptions = {},
): Promise<Set<string>> {
  const inArchive = or(isNotNull(pages.archivedMonth), eq(pages.archivePending, true));
  return await database.run(async (session) => await knownUrls(session, site, urls, inArchive), options);
}

async function clearPending(session: Session, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await session.update(pages).set({ archivePending: false }).where(inArray(pages.id, ids));
}

function urlsOf({ url, finalUrl }: ArchivedPage): string[] {
  return finalUrl === null ? [url] : [url, finalUrl];
}

function idsOf(batch: readonly { readonly id: number }[]): number[] {
  return batch.map(({ id }) => id);
}
