import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  migrate,
  openDatabase,
  pageValidators,
  savePages,
  saveUnchanged,
  type Database,
} from '../../../src/db/index.js';
import { crawledPage, goodsRow, later } from './crawled-page.js';
import { startServer, type TestServer } from './server.js';

const rulesHash = createHash('sha256').update('rules').digest();
const otherRules = createHash('sha256').update('other rules').digest();

describe('validators of pages', () => {
  let server: TestServer;
  let database: Database;

  beforeAll(async () => {
    server = await startServer();
    database = openDatabase({ url: await server.createDatabase('validators'), poolSize: 2 });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

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
    await savePages(database, pages);
    const urls = [...pages.map(({ url }) => url), 'https://shop.example/never'];
    expect(await pageValidators(database, 'shop', urls, { rulesHash })).toEqual(
      new Map([
        [urls[0], { etag: '"a"', lastModified: null, of: urls[0] }],
        [urls[1], { etag: null, lastModified: 'Thu, 15 Jan 2026 08:00:00 GMT', of: moved }],
      ]),
    );
    expect(await pageValidators(database, 'other', urls, { rulesHash })).toEqual(new Map());
    expect(await pageValidators(database, 'shop', [], { rulesHash })).toEqual(new Map());
  });

  it('an unchanged page keeps all but the time and node of its last crawl; an older time changes nothing', async () => {
    const { url } = crawledPage(20);
    await savePages(database, [crawledPage(20, { goods: [goodsRow('kept')], etag: '"k"', rulesHash })]);
    await server.query("update dist_crawl_pages set archived_month = '2026-03'", 'validators');
    const read = async () =>
      await server.query(
        `select status, rows_found, etag, hex(content_hash) as hash, archived_month, source_node, first_crawled,
           date_format(last_crawled, '%H:%i:%s.%f') as last from dist_crawl_pages where url = '${url}'`,
        'validators',
      );
    const [before] = await read();
    const page = { site: 'shop', url, node: 'node-b' };
    await saveUnchanged(database, [
      { ...page, crawlTime: later(60) },
      { ...page, url: 'https://gone.example/', crawlTime: later(60) },
    ]);
    const after = { ...before, archived_month: null, source_node: 'node-b', last: '10:01:00.123000' };
    expect(await read()).toEqual([after]);
    await saveUnchanged(database, [{ ...page, crawlTime: later(30) }]);
    expect(await read()).toEqual([after]);
  });
});
