import { asc, count, countDistinct, eq } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import { deadUrls, goods, pages, rejectedRows } from './schema.js';

/** What MySQL holds of a site. The counts are exact and read the whole site: for a demo and for tests. */
export interface SiteSummary {
  readonly pages: number;
  readonly goodsRows: number;
  /** Different goods_url among them; rows without a link have none. */
  readonly distinctGoodsUrls: number;
  readonly deadUrls: number;
  readonly rejectedRows: number;
  readonly nodes: readonly { readonly node: string; readonly pages: number; readonly rows: number }[];
  readonly samples: readonly {
    readonly goodsUrl: string | null;
    readonly goodsName: string | null;
    readonly price: string | null;
    readonly currency: string | null;
  }[];
}

/** Counts, and the first `samples` goods rows, of one site. */
export async function summary(
  database: Database,
  site: string,
  { samples = 5, ...options }: CallOptions & { readonly samples?: number | undefined } = {},
): Promise<SiteSummary> {
  return await database.run(async (session) => {
    const pagesByNode = await session
      .select({ node: pages.sourceNode, count: count() })
      .from(pages)
      .where(eq(pages.site, site))
      .groupBy(pages.sourceNode);
    const rowsByNode = await session
      .select({ node: goods.sourceNode, count: count() })
      .from(goods)
      .where(eq(goods.site, site))
      .groupBy(goods.sourceNode);
    const [distinct] = await session
      .select({ urls: countDistinct(goods.goodsUrl) })
      .from(goods)
      .where(eq(goods.site, site));
    const [dead] = await session.select({ count: count() }).from(deadUrls).where(eq(deadUrls.site, site));
    const [rejected] = await session.select({ count: count() }).from(rejectedRows).where(eq(rejectedRows.site, site));
    const sampleRows = await session
      .select({ goodsUrl: goods.goodsUrl, goodsName: goods.goodsName, price: goods.price, currency: goods.currency })
      .from(goods)
      .where(eq(goods.site, site))
      .orderBy(asc(goods.id))
      .limit(samples);
    return {
      pages: total(pagesByNode),
      goodsRows: total(rowsByNode),
      distinctGoodsUrls: distinct?.urls ?? 0,
      deadUrls: dead?.count ?? 0,
      rejectedRows: rejected?.count ?? 0,
      nodes: nodesOf(pagesByNode, rowsByNode),
      samples: sampleRows,
    };
  }, options);
}

interface NodeCount {
  readonly node: string;
  readonly count: number;
}

function total(counts: readonly NodeCount[]): number {
  return counts.reduce((sum, { count: n }) => sum + n, 0);
}

function nodesOf(byPages: readonly NodeCount[], byRows: readonly NodeCount[]): SiteSummary['nodes'] {
  const pagesOf = new Map(byPages.map(({ node, count: n }) => [node, n]));
  const rowsOf = new Map(byRows.map(({ node, count: n }) => [node, n]));
  const names = [...new Set([...pagesOf.keys(), ...rowsOf.keys()])].sort();
  return names.map((node) => ({ node, pages: pagesOf.get(node) ?? 0, rows: rowsOf.get(node) ?? 0 }));
}
