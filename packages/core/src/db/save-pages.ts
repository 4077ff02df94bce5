import type { CallOptions, Database } from './database.js';
import { prepareGoods, upsertGoods, type KeyedGoods } from './goods.js';
import { preparePages, upsertPages, type CrawledPage, type KeyedPage } from './pages.js';
import { insertRejectedRows, type RejectedRow } from './rejected-rows.js';
import type { Refusal } from './set-aside.js';
import type { RowCounts } from './upsert.js';

/** What became of a batch. */
export interface SaveResult {
  /** Pages saved; only these are done. */
  readonly pages: number;
  /** Goods rows. */
  readonly rows: RowCounts;
  /** Goods rows of the batch that gave way to a later one of the same key. */
  readonly merged: number;
  /** Goods rows set aside in dist_crawl_rejected_rows; their pages are saved. */
  readonly rejected: readonly RejectedRow[];
  /** Pages whose own record was refused (a mistake of the caller, as a URL over 2048 characters); set aside too. */
  readonly rejectedPages: readonly { readonly site: string; readonly url: string; readonly reason: string }[];
}

/**
 * Saves pages and their rows in one transaction: when it resolves, all is committed; when it rejects, nothing is, or
 * only the confirmation was lost. Saving a batch again changes nothing. One bad row costs no other row and no page.
 * @throws TransientDatabaseError where waiting and saving the same batch again will help.
 */
export async function savePages(
  database: Database,
  batch: readonly CrawledPage[],
  options: CallOptions = {},
): Promise<SaveResult> {
  const goods = prepareGoods(batch);
  const pages = preparePages(batch);
  return await database.transaction(async (session) => {
    const savedGoods = await upsertGoods(session, goods.rows);
    const savedPages = await upsertPages(session, pages);
    const rejected = [...goods.refused, ...savedGoods.refused].map(rejectedGoods);
    const rejectedPages = savedPages.refused.map(rejectedPage);
    await insertRejectedRows(session, [...rejected, ...rejectedPages]);
    return {
      pages: pages.length - rejectedPages.length,
      rows: savedGoods.counts,
      merged: goods.merged,
      rejected,
      rejectedPages: rejectedPages.map(({ site, pageUrl, reason }) => ({ site, url: pageUrl, reason })),
    };
  }, options);
}

function rejectedGoods({ row: keyed, errorCode, reason }: Refusal<KeyedGoods>): RejectedRow {
  const { site, source, row } = keyed;
  return { site, pageUrl: source.url, node: source.node, row, errorCode, reason };
}

function rejectedPage({ row: { site, page }, errorCode, reason }: Refusal<KeyedPage>): RejectedRow {
  const { goods, contentHash, ...rest } = page;
  const row = { ...rest, contentHash: contentHash?.toString('hex') ?? null, rows: goods.length };
  return { site, pageUrl: page.url, node: page.node, row, errorCode, reason };
}
