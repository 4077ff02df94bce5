import { afterEach, describe, expect, it } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.js';

let cluster: Cluster;
const start = async (options: ClusterOptions): Promise<Cluster> => (cluster = await startCluster(options));
afterEach(() => cluster.stop());

const ALLOW_PAGES = '  list: { match: [/goods/list, /category/*], follow: [/goods/list, /category/*, /goods/*] }';
const BY_LINKS = [
  'pace: { rate: 1000/s, concurrency: 64 }',
  'entries: [/]',
  'follow: [/goods/list, /category/*]',
  'kinds:',
  ALLOW_PAGES,
  '  detail: { match: /goods/*, goods: none, follow: [] }',
];

/** Two nodes with two workers each, until nothing is left. */
async function crawl(): Promise<void> {
  const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => cluster.consumer(tag, { args: ['--until-done'] })));
  for (const node of nodes) expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);
  expect((await cluster.frontier.audit()).violations).toEqual([]);
}

/** How many pages of each outcome, and the rows that they count. */
async function outcomes(): Promise<Record<string, [pages: number, rows: number]>> {
  const rows = await cluster.query(
    "select outcome, count(*) as pages, sum(rows_found) as found from dist_crawl_pages where site = 'shop' group by outcome",
  );
  return Object.fromEntries(rows.map(({ outcome, pages, found }) => [String(outcome), [Number(pages), Number(found)]]));
}

describe('a shop, from its home page on', () => {
  it('is crawled to every page that its sitemap names', async () => {
    await start({ shop: { pages: 8 }, site: BY_LINKS });
    await cluster.scheduler();
    await cluster.produce('--entries');
    await crawl();
    expect(cluster.shop.counts().paths['/cart'], 'robots.txt').toBeUndefined();
    const saved = await cluster.summary();
    expect(saved).toMatchObject({ goodsRows: 8 * 24, deadUrls: 0 });
    const kinds = await cluster.query(
      'select kind, count(*) as pages from dist_crawl_pages group by kind order by kind',
    );
    expect(kinds).toEqual([
      { kind: 'detail', pages: 8 * 24 },
      { kind: 'entry', pages: 1 },
      { kind: 'list', pages: expect.any(Number) },
    ]);
    const told = (await cluster.produce('--sitemap')).join('\n');
    expect(told).toMatch(/shop, sitemaps: 0 queued, 0 already waiting, 2\d\d already done, 0 dead/u);
    // Asked for again, entry pages are crawled again, the others are not.
    const again = (await cluster.produce('--entries')).join('\n');
    expect(again).toContain('shop, entries: 1 queued');
  });

  it('ends at maxPages, exactly, however many nodes find links', async () => {
    await start({ shop: { pages: 30 }, site: [...BY_LINKS, 'maxPages: 60'] });
    await cluster.scheduler();
    await cluster.produce('--entries');
    await crawl();
    const census = await cluster.frontier.census();
    expect(census).toMatchObject({ pending: 0, done: 60, dead: 0 });
    expect(census.counters['refused:max-pages']).toBeGreaterThan(0);
    const told = (await cluster.produce('--pages', '1-30')).join('\n');
    expect(told).toMatch(/0 queued.* beyond `maxPages`/u);
  });
});

describe('a range that is longer than the shop', () => {
  it('repeats the last page: each repetition is marked, and its rows are counted once', async () => {
    await start({ shop: { pages: 12, clamp: true } });
    await cluster.produce('--pages', '1-80');
    await crawl();
    expect(await outcomes()).toEqual({ ok: [12, 288], repeated: [68, 0] });
    expect(await cluster.summary()).toMatchObject({ pages: 80, goodsRows: 288, deadUrls: 0 });
    expect((await cluster.frontier.census()).counters).toMatchObject({ repeated: 68 });
  });

  it.each([
    ['the last page again', { pages: 12, clamp: true }, 'repeated'],
    ['404', { pages: 12 }, 'missing'],
    [
      'an empty list',
      { pages: 2000, faults: [{ kind: 'empty-list' as const, pages: numbers(13, 2000), attempts: 'always' as const }] },
      'empty',
    ],
  ])('ends early with --until-empty where it answers with %s', async (_, shop, outcome) => {
    await start({ shop, site: ['pace: { rate: 100/s, concurrency: 64 }'] });
    const producer = await cluster.producer('--pages', '1-2000', '--until-empty', '3');
    await producer.waitForLine(/./u);
    await crawl();
    const told = producer.lines().join('\n');
    expect((await producer.exited).code, told).toBe(0);
    expect(told).toContain('; the range ends before page 13 (3 beyond it in a row)');
    const found = await outcomes();
    expect(found['ok']).toEqual([12, 288]);
    expect(found[outcome]?.[1]).toBe(0);
    const { counters, done, dead, failed } = await cluster.frontier.census();
    expect({ done: done < 250, dead, failed, failures: counters['failed'] ?? 0 }).toEqual({
      done: true,
      dead: 0,
      failed: 0,
      failures: 0,
    });
    expect(found).toEqual({ ok: [12, 288], [outcome]: [done - 12, 0] });
  });
});

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
