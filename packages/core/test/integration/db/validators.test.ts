import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pageValidators, savePages, saveUnchanged } from '../../../src/db/index.js';
import { crawledPage, goodsRow, later } from './crawled-page.js';
import { useDatabase } from './use-database.js';

const rulesHash = createHash('sha256').update('rules').digest();
const otherRules = createHash('sha256').update('other rules').digest();

describe('validators of pages', () => {
  const db = useDatabase();

  it('are found by site and URL, for pages read by the same rules, with the URL that gave them', async () => {
    const moved = 'https://shop.example/moved';
    const pages = [
      crawledPage(1, { etag: '"a"', rulesHash }),
      crawledPage(2, { lastModified: 'Thu, 15 Jan 2026 08:00:00 GMT', finalUrl: moved, rulesHash }),
      crawledPage(3, { rulesHash }),
      crawledPage(4, { etag: '"d"', rulesHash: otherRules }),
      crawledPage(5, { etag: '"e"' }),
      crawledPage(6, { etag: '"f"', rulesHash, outcome: 'repeated' }),
      crawledPage(7, { etag: 'x'.repeat(600), rulesHash }),
    ];
    await savePages(db.database, pages);
    const urls = [...pages.map(({ url }) => url), 'https://shop.example/never'];
    expect(await pageValidators(db.database, 'shop', urls, { rulesHash })).toEqual(
      new Map([
        [urls[0], { etag: '"a"', lastModified: null, of: urls[0] }],
        [urls[1], { etag: null, lastModified: 'Thu, 15 Jan 2026 08:00:00 GMT', of: moved }],
      ]),
    );
    expect(await pageValidators(db.database, 'other', urls, { rulesHash })).toEqual(new Map());
    expect(await pageValidators(db.database, 'shop', [], { rulesHash })).toEqual(new Map());
  });

  it('an unchanged page keeps all but the time and node of its last crawl; an older time changes nothing', async () => {
    const { url } = crawledPage(20);
    await savePages(db.database, [crawledPage(20, { goods: [goodsRow('kept')], etag: '"k"', rulesHash })]);
    await db.server.query("update dist_crawl_pages set archived_month = '2026-03'", 'crawl');
    const read = async () =>
      await db.server.query(
        `select status, rows_found, etag, hex(content_hash) as hash, archived_month, source_node, first_crawled,
           date_format(last_crawled, '%H:%i:%s.%f') as last from dist_crawl_pages where url = '${url}'`,
        'crawl',
      );
    const [before] = await read();
    const page = { site: 'shop', url, node: 'node-b' };
    await saveUnchanged(db.database, [
      { ...page, crawlTime: later(60) },
      { ...page, url: 'https://gone.example/', crawlTime: later(60) },
    ]);
    const after = { ...before, archived_month: null, source_node: 'node-b', last: '10:01:00.123000' };
    expect(await read()).toEqual([after]);
    await saveUnchanged(db.database, [{ ...page, crawlTime: later(30) }]);
    expect(await read()).toEqual([after]);
  });
});
