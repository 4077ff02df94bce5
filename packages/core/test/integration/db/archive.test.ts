import { beforeEach, describe, expect, it } from 'vitest';
import {
  archiveBatch,
  confirmRestored,
  crawledUrls,
  donePages,
  finishArchive,
  isArchived,
  pendingArchive,
  savePages,
} from '../../../src/db/index.js';
import { crawledPage, later } from './crawled-page.js';
import { useDatabase } from './use-database.js';

const CUTOFF = later(1000);

describe('archive', () => {
  const db = useDatabase();
  beforeEach(async () => {
    await db.server.query('delete from dist_crawl_pages', 'crawl');
  });

  const urls = (...numbers: number[]) => numbers.map((number) => crawledPage(number).url);
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

  async function months(): Promise<unknown[]> {
    const rows = await db.server.query('select archived_month as month from dist_crawl_pages order by url', 'crawl');
    return rows.map((row) => row['month']);
  }

  async function saveOldAndNew(): Promise<void> {
    await savePages(db.database, [
      crawledPage(1, { crawlTime: later(3) }),
      crawledPage(2, { crawlTime: later(2) }),
      crawledPage(3, { crawlTime: new Date('2026-02-28T23:59:59.999Z') }),
      crawledPage(4, { crawlTime: later(2000) }),
      crawledPage(5, { site: 'other' }),
    ]);
  }

  it('gives old pages of the site their month, oldest first, in bounded batches', async () => {
    await saveOldAndNew();
    const first = await archiveBatch(db.database, 'shop', CUTOFF, 2);
    expect(first.map((row) => row.url)).toEqual(urls(3, 2));
    expect((await archiveBatch(db.database, 'shop', CUTOFF, 2)).map((row) => row.url)).toEqual(urls(1));
    expect(await archiveBatch(db.database, 'shop', CUTOFF, 2)).toEqual([]);
    expect(await months()).toEqual(['2026-03', '2026-03', '2026-02', null, null]);
  });

  it('takes up what an earlier run began, until it is finished', async () => {
    await saveOldAndNew();
    await archiveBatch(db.database, 'shop', CUTOFF, 10);
    const pending = await pendingArchive(db.database, 'shop', 10);
    expect(pending.map((row) => row.url).sort()).toEqual(urls(1, 2, 3));
    expect(await finishArchive(db.database, 'shop', idsOf(pending))).toEqual({
      finished: 3,
      restore: { urls: [], ids: [] },
    });
    expect(await pendingArchive(db.database, 'shop', 10)).toEqual([]);
    expect(await finishArchive(db.database, 'shop', idsOf(pending))).toMatchObject({ finished: 0 });
    expect(await finishArchive(db.database, 'shop', [])).toMatchObject({ finished: 0 });
  });

  it('names a page that was crawled again on its way out, and knows it until that is confirmed', async () => {
    await saveOldAndNew();
    const batch = await archiveBatch(db.database, 'shop', CUTOFF, 10);
    await savePages(db.database, [crawledPage(2, { crawlTime: later(5000) })]);
    expect(await isArchived(db.database, 'shop', urls(2))).toEqual(new Set(urls(2)));
    const { finished, restore } = await finishArchive(db.database, 'shop', idsOf(batch));
    expect(finished).toBe(2);
    expect(restore.urls).toEqual(urls(2));
    expect((await pendingArchive(db.database, 'shop', 10)).map((row) => row.url)).toEqual(urls(2));
    expect(await isArchived(db.database, 'shop', urls(2))).toEqual(new Set(urls(2)));
    await confirmRestored(db.database, restore.ids);
    expect(await pendingArchive(db.database, 'shop', 10)).toEqual([]);
    expect(await isArchived(db.database, 'shop', urls(1, 2, 3, 4))).toEqual(new Set(urls(1, 3)));
  });

  it('takes the target of a redirect along, unless that is done by a page of its own', async () => {
    const [own, lost] = ['https://shop.example/own', 'https://shop.example/lost'] as const;
    await savePages(db.database, [
      crawledPage(1, { finalUrl: own }),
      crawledPage(2, { finalUrl: lost }),
      crawledPage(3, { url: own, finalUrl: own, crawlTime: later(5000) }),
    ]);
    const batch = await archiveBatch(db.database, 'shop', CUTOFF, 10);
    expect(batch.map((row) => row.finalUrl)).toEqual([own, lost]);
    const { finished, restore } = await finishArchive(db.database, 'shop', idsOf(batch));
    expect({ finished, urls: restore.urls }).toEqual({ finished: 1, urls: [own] });
    await confirmRestored(db.database, restore.ids);
    expect(await isArchived(db.database, 'shop', [...urls(1, 2), lost])).toEqual(new Set([...urls(1, 2), lost]));
  });

  it('is undone by a newer crawl and not by an older one', async () => {
    await savePages(db.database, [crawledPage(1, { crawlTime: later(10) })]);
    await finishArchive(db.database, 'shop', idsOf(await archiveBatch(db.database, 'shop', CUTOFF, 10)));
    await savePages(db.database, [crawledPage(1, { crawlTime: later(5) })]);
    expect(await months()).toEqual(['2026-03']);
    await savePages(db.database, [crawledPage(1, { crawlTime: later(20) })]);
    expect(await months()).toEqual([null]);
  });

  it('gives each page to one of two schedulers', async () => {
    const many = Array.from({ length: 300 }, (_, number) => crawledPage(number, { crawlTime: later(number) }));
    await savePages(db.database, many);
    const taken: string[] = [];
    const scheduler = async () => {
      for (;;) {
        const batch = await archiveBatch(db.database, 'shop', CUTOFF, 20);
        if (batch.length === 0) return;
        taken.push(...batch.map((row) => row.url));
      }
    };
    await Promise.all([scheduler(), scheduler()]);
    expect(taken.sort()).toEqual(many.map((page) => page.url).sort());
  });

  it('lists done pages by id, without the archived ones unless asked', async () => {
    await saveOldAndNew();
    await archiveBatch(db.database, 'shop', later(3), 10);
    const list = async (includeArchived: boolean) => {
      const found: string[] = [];
      for (let afterId = 0; ;) {
        const part = await donePages(db.database, 'shop', { afterId, limit: 1, includeArchived });
        const [page] = part;
        if (page === undefined) return found.sort();
        found.push(page.url);
        afterId = page.id;
      }
    };
    expect(await list(false)).toEqual(urls(1, 4));
    expect(await list(true)).toEqual(urls(1, 2, 3, 4));
  });

  it('tells which URLs were crawled, whatever the archive has of them', async () => {
    await saveOldAndNew();
    const target = 'https://shop.example/target';
    await savePages(db.database, [crawledPage(6, { finalUrl: target })]);
    await archiveBatch(db.database, 'shop', later(3), 10);
    const asked = [...urls(1, 2, 3, 4, 5, 6, 7), target];
    expect(await crawledUrls(db.database, 'shop', asked)).toEqual(new Set([...urls(1, 2, 3, 4, 6), target]));
    const many = Array.from({ length: 2500 }, (_, n) => crawledPage(n).url);
    expect((await crawledUrls(db.database, 'shop', many)).size).toBe(5);
  });

  it('uses an index for each of its scans', async () => {
    await savePages(
      db.database,
      Array.from({ length: 3000 }, (_, n) => crawledPage(n, { crawlTime: later(n) })),
    );
    await archiveBatch(db.database, 'shop', later(500), 1000);
    await db.server.query('analyze table dist_crawl_pages', 'crawl');
    const plan = async (where: string) => {
      const rows = await db.server.query(
        `explain select id from dist_crawl_pages where site = 'shop' and ${where}`,
        'crawl',
      );
      return { key: rows[0]?.['key'], sorted: String(rows[0]?.['Extra']).includes('filesort') };
    };
    expect(await plan("archived_month is null and last_crawled < '2026-03-02' order by last_crawled limit 20")).toEqual(
      {
        key: 'dist_crawl_pages_age',
        sorted: false,
      },
    );
    expect(await plan('archive_pending = 1 order by id limit 20')).toEqual({
      key: 'dist_crawl_pages_pending',
      sorted: false,
    });
  });
});
