import { beforeEach, describe, expect, it } from 'vitest';
import { countDead, listDead, saveDead, savePages, summary, type DeadUrl } from '../../../src/db/index.js';
import { crawledPage, goodsRow, later, T0 } from './crawled-page.js';
import { useDatabase } from './use-database.js';

describe('what is kept beside the rows', () => {
  const db = useDatabase();
  beforeEach(async () => {
    await db.server.query('delete from dist_crawl_dead_urls', 'crawl');
  });

  function dead(name: string, changes: Partial<DeadUrl> = {}): DeadUrl {
    return {
      site: 'shop',
      url: `https://shop.example/${name}`,
      kind: 'http-5xx',
      lastError: 'HTTP 500',
      status: 500,
      failures: 5,
      firstFailure: T0,
      lastFailure: later(60),
      node: 'node-a',
      ...changes,
    };
  }

  it('keeps the story of a dead URL, once, with its first and last failure', async () => {
    const story = dead('a', { kind: 'timeout', status: null, lastError: 'x'.repeat(5000) + '📱' });
    await saveDead(db.database, [story]);
    await saveDead(db.database, [story]);
    await saveDead(db.database, [dead('a', { firstFailure: later(30), lastFailure: later(90), failures: 6 })]);
    await saveDead(db.database, [dead('a', { firstFailure: later(40), lastFailure: later(50), failures: 2 })]);
    const [row, ...others] = await listDead(db.database, { site: 'shop', limit: 10 });
    expect(others).toEqual([]);
    expect(row).toMatchObject(dead('a', { lastFailure: later(90), failures: 6 }));
    await saveDead(db.database, [dead('b', { status: null, lastError: `${'y'.repeat(999)}📱📱` })]);
    expect((await listDead(db.database, { limit: 10 }))[1]).toMatchObject({ status: null });
  });

  it('lists and counts by site and kind, in pages', async () => {
    await saveDead(db.database, [dead('a'), dead('b', { kind: 'gone' }), dead('c'), dead('d', { site: 'other' })]);
    expect(await countDead(db.database)).toEqual({ total: 4, byKind: { 'http-5xx': 3, gone: 1 } });
    expect(await countDead(db.database, { site: 'shop', kind: 'gone' })).toEqual({ total: 1, byKind: { gone: 1 } });
    const all: string[] = [];
    for (let after = 0; ;) {
      const [row] = await listDead(db.database, { site: 'shop', kind: 'http-5xx', limit: 1, after });
      if (row === undefined) break;
      all.push(row.url);
      after = row.id;
    }
    expect(all.sort()).toEqual(['https://shop.example/a', 'https://shop.example/c']);
  });

  it('lists those of some URLs', async () => {
    await saveDead(db.database, [dead('a'), dead('b'), dead('c'), dead('a', { site: 'other' })]);
    const urls = ['c', 'a', 'never'].map((name) => dead(name).url);
    const found = await listDead(db.database, { site: 'shop', urls, limit: 10 });
    expect(found.map(({ url }) => url).toSorted()).toEqual([dead('a').url, dead('c').url]);
    expect(found.map(({ site }) => site)).toEqual(['shop', 'shop']);
  });

  it('sums up a site', async () => {
    await savePages(db.database, [
      crawledPage(1, { goods: [goodsRow('a'), goodsRow('b', { goods_url: null })] }),
      crawledPage(2, { goods: [goodsRow('c'), goodsRow('bad', { price: 'cheap' })], node: 'node-b' }),
      crawledPage(3, { node: 'node-b' }),
      crawledPage(4, { site: 'other', goods: [goodsRow('a')] }),
    ]);
    await saveDead(db.database, [dead('x')]);
    expect(await summary(db.database, 'shop', { samples: 1 })).toEqual({
      pages: 3,
      goodsRows: 3,
      distinctGoodsUrls: 2,
      deadUrls: 1,
      rejectedRows: 1,
      nodes: [
        { node: 'node-a', pages: 1, rows: 2 },
        { node: 'node-b', pages: 2, rows: 1 },
      ],
      samples: [expect.objectContaining({ price: '12.5000', currency: 'CNY' })],
    });
    expect(await summary(db.database, 'none')).toMatchObject({ pages: 0, goodsRows: 0, nodes: [], samples: [] });
  });
});
