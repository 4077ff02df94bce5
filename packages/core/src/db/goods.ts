import { goods } from './schema.js';
import { byKey, goodsKeyOf } from './row-key.js';
import type { Session } from './session-pool.js';
import { insertSettingAside, type Refusal, type SetAside } from './set-aside.js';
import { newestWins, upsert } from './upsert.js';

/** A product or article as a page shows it. */
export interface GoodsRow {
  readonly goods_url: string | null;
  readonly goods_name: string | null;
  /** Decimal number as text; null where the page has none or it can't be read. */
  readonly price: string | null;
  /** ISO 4217. */
  readonly currency: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The page on which rows were found. */
export interface GoodsSource {
  readonly site: string;
  readonly url: string;
  readonly node: string;
  readonly crawlTime: Date;
  readonly goods: readonly GoodsRow[];
}

/** A row ready to be saved. */
export interface KeyedGoods {
  readonly site: string;
  readonly key: Buffer;
  readonly source: GoodsSource;
  readonly row: GoodsRow;
  /** About its size in a statement. */
  readonly bytes: number;
}

export interface PreparedGoods {
  /** In the order of writing, each key once. */
  readonly rows: readonly KeyedGoods[];
  /** Rows that another one of the same key took the place of. */
  readonly merged: number;
  /** Rows whose attributes are no JSON. */
  readonly refused: readonly Refusal<KeyedGoods>[];
}

const FIXED_BYTES = 200;
const CLAUSE = newestWins({
  newest: goods.crawlTime,
  earliest: goods.firstSeen,
  replaced: [
    goods.goodsUrl,
    goods.goodsName,
    goods.price,
    goods.currency,
    goods.sourceNode,
    goods.pageUrl,
    goods.attributes,
  ],
});

/** Gives rows their keys and order; of rows with one key the latest stays, of equally late ones the last. */
export function prepareGoods(sources: readonly GoodsSource[]): PreparedGoods {
  const latest = new Map<string, KeyedGoods>();
  const refused: Refusal<KeyedGoods>[] = [];
  let merged = 0;
  for (const source of sources) {
    for (const [ordinal, row] of source.goods.entries()) {
      const keyed = { site: source.site, key: goodsKeyOf(row.goods_url, source.url, ordinal), source, row };
      try {
        const name = `${source.site}\n${keyed.key.toString('hex')}`;
        const rival = latest.get(name);
        if (rival !== undefined) merged += 1;
        if (rival === undefined || rival.source.crawlTime <= source.crawlTime) {
          latest.set(name, { ...keyed, bytes: bytesOf(source, row) });
        }
      } catch (error) {
        const reason = `attributes can't be written as JSON: ${String(error)}`;
        refused.push({ row: { ...keyed, bytes: 0 }, errorCode: 0, reason });
      }
    }
  }
  return { rows: [...latest.values()].sort(byKey), merged, refused };
}

/** Upserts rows inside the caller's transaction; an older crawl never overwrites a newer one, first_seen stays. */
export async function upsertGoods(session: Session, rows: readonly KeyedGoods[]): Promise<SetAside<KeyedGoods>> {
  return await insertSettingAside(rows, async (part) => {
    const insert = session.insert(goods).values(part.map(columnsOf));
    return await upsert(session, insert.getSQL(), CLAUSE, part.length);
  });
}

function columnsOf({ site, key, source, row }: KeyedGoods): typeof goods.$inferInsert {
  return {
    site,
    goodsKey: key,
    goodsUrl: row.goods_url,
    goodsName: row.goods_name,
    price: row.price,
    currency: row.currency,
    sourceNode: source.node,
    crawlTime: source.crawlTime,
    pageUrl: source.url,
    attributes: row.attributes,
    firstSeen: source.crawlTime,
  };
}

/** @throws TypeError where an attribute has no JSON form (a cycle, a bigint). */
function bytesOf(source: GoodsSource, row: GoodsRow): number {
  const texts = [source.url, row.goods_url ?? '', row.goods_name ?? '', JSON.stringify(row.attributes)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), FIXED_BYTES);
}
