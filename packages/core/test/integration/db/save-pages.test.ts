import { beforeEach, describe, expect, it } from 'vitest';
import { migrate, openDatabase, savePages, TransientDatabaseError } from '../../../src/db/index.js';
import { crawledPage, goodsRow, later } from './crawled-page.js';
import { useDatabase } from './use-database.js';

describe('savePages', () => {
  const db = useDatabase();
  beforeEach(async () => {
    for (const table of ['goods', 'pages', 'rejected_rows']) await query(`delete from dist_crawl_${table}`);
  });

  async function query(statement: string): Promise<Record<string, unknown>[]> {
    return await db.server.query(statement, 'crawl');
  }

  it('saves pages of a batch with their rows, and tells how many', async () => {
    const goods = [goodsRow('a'), goodsRow('b', { price: null, attributes: { price_text: 'on request' } })];
    const result = await savePages(db.database, [
      crawledPage(1, { goods, finalUrl: 'https://shop.example/first' }),
      crawledPage(2, { goods: [goodsRow('c')] }),
    ]);
    expect(result).toEqual({
      pages: 2,
      rows: { inserted: 3, updated: 0, unchanged: 0 },
      merged: 0,
      rejected: [],
      rejectedPages: [],
    });
    expect(
      await query(`select goods_url, goods_name, price, currency, source_node, page_url, attributes,
      cast(crawl_time as char) as time from dist_crawl_goods where goods_name = 'goods B'`),
    ).toEqual([
      {
        goods_url: 'https://shop.example/goods/b',
        goods_name: 'Goods b',
        price: null,
        currency: 'CNY',
        source_node: 'node-a',
        page_url: 'https://shop.example/list?page=1',
        attributes: '{"price_text":"on request"}',
        time: '2026-03-01 10:00:00.123',
      },
    ]);
    expect(await query('select url, final_url, rows_found, archived_month from dist_crawl_pages order by url')).toEqual(
      [
        {
          url: 'https://shop.example/list?page=1',
          final_url: 'https://shop.example/first',
          rows_found: 2,
          archived_month: null,
        },
        { url: 'https://shop.example/list?page=2', final_url: null, rows_found: 1, archived_month: null },
      ],
    );
  });

  it('changes nothing when the same batch is saved again', async () => {
    const batch = [crawledPage(1, { goods: [goodsRow('a'), goodsRow('b')] })];
    await savePages(db.database, batch);
    expect((await savePages(db.database, batch)).rows).toEqual({ inserted: 0, updated: 0, unchanged: 2 });
  });

  it('tells inserted, updated and unchanged rows apart', async () => {
    const at = (seconds: number, ...names: string[]) =>
      crawledPage(1, { crawlTime: later(seconds), goods: names.map((name) => goodsRow(name)) });
    await savePages(db.database, [at(0, 'a', 'b', 'c')]);
    const { rows } = await savePages(db.database, [
      at(60, 'a', 'd'),
      crawledPage(2, { crawlTime: later(-60), goods: [goodsRow('e')] }),
      crawledPage(3, { goods: [goodsRow('b')], url: 'https://shop.example/list?page=1' }),
    ]);
    expect(rows).toEqual({ inserted: 2, updated: 1, unchanged: 1 });
    expect((await savePages(db.database, [at(120, 'a')])).rows).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect((await savePages(db.database, [at(180, 'f')])).rows).toEqual({ inserted: 1, updated: 0, unchanged: 0 });
  });

  it('lets the newer crawl win, whichever is saved last, and keeps the first sight', async () => {
    const old = crawledPage(1, { goods: [goodsRow('a', { price: '10', attributes: { stock: 1 } })] });
    const recent = crawledPage(1, {
      crawlTime: later(3600),
      node: 'node-b',
      status: 203,
      goods: [goodsRow('a', { price: '20', attributes: { stock: 2 } })],
    });
    for (const order of [
      [old, recent],
      [recent, old],
    ]) {
      await query('delete from dist_crawl_goods');
      await query('delete from dist_crawl_pages');
      for (const page of order) await savePages(db.database, [page]);
      expect(
        await query(`select price, attributes, source_node, cast(crawl_time as char) as crawled,
        cast(first_seen as char) as seen from dist_crawl_goods`),
      ).toEqual([
        {
          price: '20.0000',
          attributes: '{"stock":2}',
          source_node: 'node-b',
          crawled: '2026-03-01 11:00:00.123',
          seen: '2026-03-01 10:00:00.123',
        },
      ]);
      expect(
        await query(`select status, source_node, cast(first_crawled as char) as first,
        cast(last_crawled as char) as last from dist_crawl_pages`),
      ).toEqual([
        { status: 203, source_node: 'node-b', first: '2026-03-01 10:00:00.123', last: '2026-03-01 11:00:00.123' },
      ]);
    }
  });

  it('merges rows of one key within a batch, the latest crawl winning', async () => {
    const result = await savePages(db.database, [
      crawledPage(1, { crawlTime: later(10), goods: [goodsRow('a', { price: '2' })] }),
      crawledPage(2, { crawlTime: later(0), goods: [goodsRow('a', { price: '1' })] }),
      crawledPage(3, { crawlTime: later(10), goods: [goodsRow('b', { price: '3' }), goodsRow('b', { price: '4' })] }),
    ]);
    expect(result).toMatchObject({ pages: 3, merged: 2, rows: { inserted: 2 } });
    expect(await query('select price from dist_crawl_goods order by price')).toEqual([
      { price: '2.0000' },
      { price: '4.0000' },
    ]);
  });

  it('knows rows without a link by page and place', async () => {
    const goods = ['x', 'y'].map((name) => goodsRow(name, { goods_url: null }));
    await savePages(db.database, [crawledPage(1, { goods }), crawledPage(2, { goods })]);
    await savePages(db.database, [crawledPage(1, { goods, crawlTime: later(5) })]);
    expect(await query('select count(*) as n from dist_crawl_goods')).toEqual([{ n: 4 }]);
  });

  it('keeps one site apart from another', async () => {
    const goods = [goodsRow('a')];
    await savePages(db.database, [crawledPage(1, { goods }), crawledPage(1, { goods, site: 'other' })]);
    expect(await query('select site from dist_crawl_goods order by site')).toEqual([
      { site: 'other' },
      { site: 'shop' },
    ]);
    expect(await query('select count(*) as n from dist_crawl_pages')).toEqual([{ n: 2 }]);
  });

  it('keeps emoji, Chinese and quotes as they are', async () => {
    const name = `手机 📱 👨‍👩‍👧 "it's" \\ \u0000 end`;
    await savePages(db.database, [
      crawledPage(1, { goods: [goodsRow('e', { goods_name: name, attributes: { name } })] }),
    ]);
    const [row] = await query('select goods_name, attributes from dist_crawl_goods');
    expect(row?.['goods_name']).toBe(name);
    expect(JSON.parse(String(row?.['attributes']))).toEqual({ name });
  });

  it('sets aside each row that the server refuses, with the reason, and saves all others and the page', async () => {
    const bad = [
      goodsRow('long', { goods_name: 'x'.repeat(1001) }),
      goodsRow('text', { price: 'cheap' }),
      goodsRow('range', { price: '1'.repeat(17) }),
      goodsRow('currency', { currency: 'YUAN' }),
      goodsRow('link', { goods_url: `https://shop.example/${'y'.repeat(2048)}` }),
      goodsRow('json', { attributes: { deep: JSON.parse('['.repeat(120) + ']'.repeat(120)) as unknown } }),
      goodsRow('large', { attributes: { text: 'z'.repeat(1024 * 1024) } }),
      goodsRow('bigint', { attributes: { n: 10n } }),
    ];
    const good = Array.from({ length: 992 }, (_, n) => goodsRow(`good-${n}`));
    const goods = good.toSpliced(500, 0, ...bad);
    const result = await savePages(db.database, [crawledPage(1, { goods }), crawledPage(2)]);
    expect(result.pages).toBe(2);
    expect(result.rows.inserted).toBe(992);
    expect(result.rejected).toHaveLength(8);
    expect(await query('select count(*) as n from dist_crawl_goods')).toEqual([{ n: 992 }]);
    const rejected = await query('select page_url, row_json, error_code, reason from dist_crawl_rejected_rows');
    expect(new Set(rejected.map((row) => row['page_url']))).toEqual(new Set(['https://shop.example/list?page=1']));
    const reasons = rejected.map((row) => `${String(row['error_code'])} ${String(row['reason'])}`).sort();
    expect(reasons).toEqual([
      expect.stringMatching(/^0 attributes can't be written as JSON: TypeError/),
      expect.stringMatching(/^0 the row has \d+ bytes, more than 1048576/),
      expect.stringMatching(/^1264 Out of range value for column 'price'/),
      expect.stringMatching(/^1366 Incorrect decimal value: 'cheap' for column/),
      expect.stringMatching(/^1406 Data too long for column 'currency'/),
      expect.stringMatching(/^1406 Data too long for column 'goods_name'/),
      expect.stringMatching(/^1406 Data too long for column 'goods_url'/),
      expect.stringMatching(/^4025 CONSTRAINT `dist_crawl_goods.attributes` failed/),
    ]);
    const long = rejected.find((row) => String(row['reason']).includes('goods_name'));
    expect(JSON.parse(String(long?.['row_json']))).toEqual(bad[0]);
  });

  it('saves a page of which every row is refused', async () => {
    const goods = Array.from({ length: 30 }, (_, n) => goodsRow(`${n}`, { price: 'cheap' }));
    const result = await savePages(db.database, [crawledPage(1, { goods })]);
    expect(result).toMatchObject({ pages: 1, rows: { inserted: 0 } });
    expect(result.rejected).toHaveLength(30);
    expect(await query('select rows_found from dist_crawl_pages')).toEqual([{ rows_found: 30 }]);
  });

  it('names a page whose own record is refused, and saves the others', async () => {
    const url = `https://shop.example/${'u'.repeat(2048)}`;
    const result = await savePages(db.database, [crawledPage(1), crawledPage(2, { url }), crawledPage(3)]);
    expect(result.pages).toBe(2);
    expect(result.rejectedPages).toEqual([{ site: 'shop', url, reason: expect.any(String) as string }]);
  });

  it('tries again after deadlocks with other writers until all is saved', async () => {
    const deadlocks = async () => Number((await query("show global status like 'Innodb_deadlocks'"))[0]?.['Value']);
    const before = await deadlocks();
    const names = Array.from({ length: 200 }, (_, n) => `d-${n}`);
    // Writers that go the other way round, row by row, as no batch of ours does.
    const peace = new AbortController();
    const against = [1, 2].map(async () => {
      while (!peace.signal.aborted) {
        await db.database
          .transaction(async (session) => {
            for (const name of names.toReversed().slice(0, 40)) {
              await session.execute(`update dist_crawl_goods set currency = 'XXX' where goods_name = 'Goods ${name}'`);
            }
          })
          .catch((error: unknown) => {
            if (!(error instanceof TransientDatabaseError)) throw error;
          });
      }
    });
    for (let round = 0; round < 20; round += 1) {
      const goods = names.map((name) => goodsRow(name));
      await savePages(db.database, [crawledPage(1, { goods, crawlTime: later(round) })]);
    }
    peace.abort();
    await Promise.all(against);
    expect(await deadlocks()).toBeGreaterThan(before);
    expect(await query('select count(*) as n from dist_crawl_goods')).toEqual([{ n: 200 }]);
  });

  it('saves all of what many writers save at once', async () => {
    const batches = Array.from({ length: 40 }, (_, writer) =>
      Array.from({ length: 5 }, (__, n) =>
        crawledPage(n, {
          crawlTime: later(writer),
          goods: Array.from({ length: 24 }, (___, card) => goodsRow(`m-${n}-${card}`)),
        }),
      ),
    );
    await Promise.all(batches.map(async (batch) => await savePages(db.database, batch)));
    expect(
      await query('select count(*) as n, min(crawl_time) = max(crawl_time) as same from dist_crawl_goods'),
    ).toEqual([{ n: 120, same: 1 }]);
    expect(await query('select count(*) as n from dist_crawl_pages')).toEqual([{ n: 5 }]);
  });

  it('says by a typed error that the server takes no writes, and saves the same batch later', async () => {
    const batch = [crawledPage(1, { goods: [goodsRow('a')] })];
    const url = await db.server.createDatabase('readonly');
    await db.server.query("create or replace user crawler identified by ''");
    await db.server.query('grant all on readonly.* to crawler');
    const other = openDatabase({ url: url.replace('root@', 'crawler@'), poolSize: 1 });
    try {
      await migrate(other);
      await db.server.query('set global read_only = 1');
      await expect(savePages(other, batch)).rejects.toMatchObject({
        code: 'DATABASE_TRANSIENT',
        fault: 'read-only',
      });
      await db.server.query('set global read_only = 0');
      expect((await savePages(other, batch)).rows.inserted).toBe(1);
    } finally {
      await db.server.query('set global read_only = 0');
      await other.close();
    }
  });

  it('rolls all back when the caller aborts', async () => {
    const ending = new AbortController();
    const blocker = openDatabase({ url: `mysql://root@127.0.0.1:${db.server.port}/crawl`, poolSize: 1 });
    await savePages(db.database, [crawledPage(1, { goods: [goodsRow('a')] })]);
    try {
      await blocker.transaction(async (session) => {
        await session.execute('update dist_crawl_pages set status = 500');
        const saving = savePages(db.database, [crawledPage(1, { crawlTime: later(1), goods: [goodsRow('n')] })], {
          signal: ending.signal,
        });
        setTimeout(() => ending.abort(new Error('hard end')), 200);
        await expect(saving).rejects.toThrow('hard end');
      });
    } finally {
      await blocker.close();
    }
    expect(await query('select goods_name from dist_crawl_goods')).toEqual([{ goods_name: 'Goods a' }]);
  });
});
