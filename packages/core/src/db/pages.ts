import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import type { GoodsSource } from './goods.js';
import { byKey, urlHashOf } from './row-key.js';
import { LENGTH, pages } from './schema.js';
import type { Session } from './session-pool.js';
import { insertSettingAside, type SetAside } from './set-aside.js';
import { newestWins, upsert } from './upsert.js';

/** A page that was crawled, with the rows found on it. */
export interface CrawledPage extends GoodsSource {
  /** The URL as it was queued, in canonical form. */
  readonly url: string;
  /** Where redirects led; null or the URL itself where there were none. */
  readonly finalUrl: string | null;
  /** Kind of page, by the site file. */
  readonly kind: string;
  readonly outcome: string;
  /** HTTP status. */
  readonly status: number;
  /** Size of the decoded body. */
  readonly bytes: number;
  /** SHA-256 of the body, 32 bytes. */
  readonly contentHash: Buffer | null;
  /** Of the final answer; also the time that decides which of two crawls is the newer one. */
  readonly crawlTime: Date;
  readonly etag?: string | null | undefined;
  readonly lastModified?: string | null | undefined;
  /** SHA-256 of the rules by which it was read, 32 bytes. */
  readonly rulesHash?: Buffer | null | undefined;
}

export interface KeyedPage {
  readonly site: string;
  readonly key: Buffer;
  readonly page: CrawledPage;
  readonly bytes: number;
}

const FIXED_BYTES = 400;
const CLAUSE = newestWins({
  newest: pages.lastCrawled,
  earliest: pages.firstCrawled,
  replaced: [
    pages.kind,
    pages.outcome,
    pages.status,
    pages.bytes,
    pages.rowsFound,
    pages.contentHash,
    pages.finalUrl,
    pages.finalUrlHash,
    pages.etag,
    pages.lastModified,
    pages.rulesHash,
    pages.sourceNode,
  ],
  // A page that is crawled again is done again. archive_pending stays: archive.ts needs to see both.
  cleared: [pages.archivedMonth],
});

/** In the order of writing, each page once: of several crawls the latest. */
export function preparePages(batch: readonly CrawledPage[]): KeyedPage[] {
  const latest = new Map<string, KeyedPage>();
  for (const page of batch) {
    const name = `${page.site}\n${page.url}`;
    const rival = latest.get(name);
    if (rival !== undefined && rival.page.crawlTime > page.crawlTime) continue;
    const bytes = FIXED_BYTES + Buffer.byteLength(page.url) + Buffer.byteLength(page.finalUrl ?? '');
    latest.set(name, { site: page.site, key: urlHashOf(page.url), page, bytes });
  }
  return [...latest.values()].sort(byKey);
}

/** Upserts pages inside the caller's transaction. */
export async function upsertPages(session: Session, rows: readonly KeyedPage[]): Promise<SetAside<KeyedPage>> {
  return await insertSettingAside(rows, async (part) => {
    const insert = session.insert(pages).values(part.map(columnsOf));
    return await upsert(session, insert.getSQL(), CLAUSE, part.length);
  });
}

function columnsOf({ site, key, page }: KeyedPage): typeof pages.$inferInsert {
  const finalUrl = page.finalUrl === page.url ? null : page.finalUrl;
  return {
    site,
    urlHash: key,
    url: page.url,
    kind: page.kind,
    outcome: page.outcome,
    status: page.status,
    bytes: page.bytes,
    rowsFound: page.goods.length,
    contentHash: page.contentHash,
    finalUrl,
    finalUrlHash: finalUrl === null ? null : urlHashOf(finalUrl),
    etag: validator(page.etag),
    lastModified: validator(page.lastModified),
    rulesHash: page.rulesHash ?? null,
    sourceNode: page.node,
    firstCrawled: page.crawlTime,
    lastCrawled: page.crawlTime,
    archivedMonth: null,
  };
}

/** A validator that is cut would never match: one that is too long is as good as none. */
function validator(header: string | null | undefined): string | null {
  return header === undefined || header === null || header.length > LENGTH.header ? null : header;
}

/** A page that is done, as MySQL remembers it. */
export interface DonePage {
  readonly id: number;
  readonly url: string;
  readonly finalUrl: string | null;
}

export interface DonePagesQuery {
  /** The id of the last page of the call before; 0 to begin. */
  readonly afterId: number;
  readonly limit: number;
  /** Also those that the archive took out of the done set; default false. */
  readonly includeArchived?: boolean;
}

/** Pages of a site that are done, by id: from these a lost done set is built again. An empty answer is the end. */
export async function donePages(
  database: Database,
  site: string,
  { afterId, limit, includeArchived = false }: DonePagesQuery,
  options: CallOptions = {},
): Promise<DonePage[]> {
  const present = and(eq(pages.archivePending, false), isNull(pages.archivedMonth));
  return await database.run(
    async (session) =>
      await session
        .select({ id: pages.id, url: pages.url, finalUrl: pages.finalUrl })
        .from(pages)
        .where(and(eq(pages.site, site), gt(pages.id, afterId), includeArchived ? undefined : present))
        .orderBy(asc(pages.id))
        .limit(limit),
    options,
  );
}

/** List pages that turned out to have the goods of an earlier page: their rows are counted there. */
export async function markRepeated(
  database: Database,
  site: string,
  urls: readonly string[],
  options: CallOptions = {},
): Promise<void> {
  if (urls.length === 0) return;
  const hashes = urls.map(urlHashOf).toSorted((a, b) => Buffer.compare(a, b));
  await database.run(async (session) => {
    await session
      .update(pages)
      .set({ outcome: 'repeated', rowsFound: 0 })
      .where(and(eq(pages.site, site), inArray(pages.urlHash, hashes)));
  }, options);
}
