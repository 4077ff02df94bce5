import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '@dist-crawl/testbed';
import { afterEach, describe, expect, it } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.js';

let cluster: Cluster;
const start = async (options: ClusterOptions): Promise<Cluster> => (cluster = await startCluster(options));
afterEach(() => cluster.stop());

const crawlAll = async (): Promise<void> => {
  const node = await cluster.consumer('node-1', { args: ['--until-done'] });
  expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);
};

describe('a page that is crawled again', () => {
  it('is asked for with its validators; where they hold, its rows stay as they are and it is done', async () => {
    const { shop, ...run } = await start({ shop: { pages: 10, validators: true } });
    await run.produce('--pages', '1-10');
    await crawlAll();
    expect(shop.counts().statuses['304']).toBeUndefined();
    const rowsOf = () => run.query('select * from dist_crawl_goods order by id');
    const pagesOf = () =>
      run.query(
        'select url, status, outcome, bytes, rows_found, hex(content_hash) as hash, etag from dist_crawl_pages order by id',
      );
    const crawledOf = () => run.query('select last_crawled from dist_crawl_pages order by id');
    const [rows, pages, crawled] = [await rowsOf(), await pagesOf(), await crawledOf()];
    expect(rows).toHaveLength(240);
    expect(pages[0]).toMatchObject({ status: 200, rows_found: 24, etag: expect.stringMatching(/^"\w+"$/) });

    await run.produce('--pages', '1-10', '--fresh');
    await crawlAll();
    expect(shop.counts().statuses['304']).toBe(10);
    expect([await rowsOf(), await pagesOf()]).toEqual([rows, pages]);
    const again = await crawledOf();
    for (const [index, row] of again.entries())
      expect(String(row['last_crawled']) > String(crawled[index]?.['last_crawled'])).toBe(true);
    expect(await run.frontier.census()).toMatchObject({ pending: 0, done: 10, failed: 0 });
    expect((await run.frontier.audit()).violations).toEqual([]);
  });

  it('is fetched whole where the site file reads other things in it by now', async () => {
    const { shop, ...run } = await start({ shop: { pages: 3, validators: true } });
    await run.produce('--pages', '1-3');
    await crawlAll();
    const file = join(run.sitesDir, 'shop.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('price: .price', 'price: .price, again: .title'));
    await run.produce('--pages', '1-3', '--fresh');
    await crawlAll();
    expect(shop.counts().statuses['304']).toBeUndefined();
    const [row] = await run.query('select attributes from dist_crawl_goods limit 1');
    expect(JSON.stringify(row)).toContain('again');
  });
});

describe('Crawl-delay', () => {
  it('is kept by all nodes together from the first page on', async () => {
    const arrivals: number[] = [];
    const log = (line: string): void => {
      if (line.includes('/goods/list')) arrivals.push(performance.now());
    };
    const run = await start({
      shop: { pages: 6, robots: 'User-agent: *\nCrawl-delay: 1\n', log },
      site: ['pace: { rate: 50/s, concurrency: 16, burst: 5 }'],
    });
    await run.produce('--pages', '1-6');
    await Promise.all(['node-1', 'node-2'].map((tag) => run.consumer(tag)));
    await run.finished();
    expect(arrivals).toHaveLength(6);
    const gaps = arrivals.slice(1).map((time, index) => time - (arrivals[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThan(500); // an answer takes longer now and then
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBeGreaterThan(4_500);
    expect((await run.frontier.census()).pace.crawlDelayMs).toBe(1_000);
  });
});

describe('a site whose proxies are all down', () => {
  it('is not fetched directly: its tasks are put off, and the figures say why', async () => {
    const port = await freePort();
    const { shop, ...run } = await start({
      shop: { pages: 4 },
      site: ['pace: { rate: 100/s }', `proxies: { urls: ['http://me:hush@127.0.0.1:${port}'], failures: 1 }`],
    });
    await run.produce('--pages', '1-4');
    const node = await run.consumer('node-1');
    await eventually(async () => (await run.frontier.census()).counters['deferred'] === 4, { timeoutMs: 30_000 });
    await eventually(async () => (await run.frontier.proxies.read())[0]?.restsMs !== 0, { timeoutMs: 10_000 });
    const [proxy] = await run.frontier.proxies.read();
    expect(proxy).toMatchObject({ proxy: `http://127.0.0.1:${port}`, answered: 0 });
    expect(proxy?.lastError).toContain('ECONNREFUSED');
    expect(shop.counts().requests).toBe(0);
    expect(await run.frontier.census()).toMatchObject({ pending: 4, failed: 0, dead: 0 });
    expect(node.lines().join('\n')).not.toContain('hush');
  });
});

describe('a site that is down', () => {
  it('pauses for all nodes before its queue has failed, and goes on by itself when it is back', async () => {
    const { shop, ...run } = await start({
      shop: { pages: 200, faults: [{ kind: 'server-error', rate: 1, attempts: 'always' }] },
      site: ['pace: { rate: 100/s, concurrency: 8 }'],
    });
    await run.produce('--pages', '1-200');
    const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => run.consumer(tag)));
    let census = await run.frontier.census();
    await eventually(
      async () => {
        census = await run.frontier.census();
        return census.pause.kind === 'paused' && census.inFlight === 0;
      },
      { timeoutMs: 60_000 },
    );
    const { failed, waiting, pause, counters } = census;
    expect(failed).toBeGreaterThanOrEqual(20);
    // the twentieth, and what was under way beside it; on a slow machine also what a second try cost
    expect(failed).toBeLessThan(20 + 6 * 8);
    expect(waiting).toBe(200 - failed);
    expect(counters).toMatchObject({ failed, 'failed:http-500': failed });
    expect(pause).toMatchObject({ reason: expect.stringMatching(/^no good answer to \d+ requests in a row \(.*500/) });
    const said = nodes.flatMap((node) => node.lines()).filter((line) => line.includes('does not answer: it pauses'));
    expect(said.length).toBeGreaterThanOrEqual(1);
    expect(said.length).toBeLessThanOrEqual(3);

    shop.setFaults([]);
    await eventually(async () => (await run.frontier.census()).waiting === 0, { timeoutMs: 120_000 });
    await eventually(async () => (await run.frontier.census()).inFlight === 0, { timeoutMs: 30_000 });
    const after = await run.frontier.census();
    expect(after).toMatchObject({ waiting: 0, dead: 0, pause: { kind: 'none' } });
    expect(after.done + after.failed).toBe(200);
    expect(after.failed).toBeLessThan(20 + 6 * 8);
    expect((await run.frontier.audit()).violations).toEqual([]);
  });
});
