import { PASSING_FAULTS } from '@dist-crawl/testbed';
import { afterEach, describe, expect, it } from 'vitest';
import { audit, startCluster, type Cluster, type ClusterOptions } from './cluster.js';

let cluster: Cluster;
const start = async (options: ClusterOptions): Promise<Cluster> => (cluster = await startCluster(options));
afterEach(() => cluster.stop());

describe('the main job', () => {
  it('crawls 200 pages of a shop that fails now and then: 200 done, 4,800 rows, each goods_url once', async () => {
    const { shop, ...run } = await start({ shop: { pages: 200, faults: [...PASSING_FAULTS] } });
    await run.produce('--pages', '1-200');
    const scheduler = await run.scheduler();
    const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => run.consumer(tag, { args: ['--until-done'] })));
    for (const node of nodes) expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);
    expect((await scheduler.stop()).code).toBe(0);

    const saved = await audit(cluster, 200);
    expect(saved.goodsRows).toBe(4_800);
    expect(Object.keys(shop.counts().faults).length).toBeGreaterThan(2);
  });

  it('saves what the shop shows: names, prices, currencies and links', async () => {
    const { shop, ...run } = await start({ shop: { pages: 3 } });
    await run.produce('--pages', '1-3');
    const node = await run.consumer('node-1', { args: ['--until-done'] });
    expect((await node.exited).code).toBe(0);
    await audit(cluster, 3);
    const rows = await run.query('select goods_url, goods_name, price, source_node from dist_crawl_goods');
    const expected = [1, 2, 3].flatMap((page) =>
      shop
        .expectedGoods(page)
        .map(({ path, name, price }) => ({ url: `${shop.url}${path}`, name, price: Number(price) })),
    );
    const byUrl = (a: { url: string }, b: { url: string }): number => a.url.localeCompare(b.url);
    expect(
      rows
        .map(({ goods_url: url, goods_name: name, price }) => ({ url: String(url), name, price: Number(price) }))
        .sort(byUrl),
    ).toEqual(expected.sort(byUrl));
    expect(new Set(rows.map((row) => row['source_node']))).toEqual(new Set(['node-1']));
  });

  it('explains every page that is beyond help: done + dead = 200, rows = 24 × done', async () => {
    const lasting = [
      { kind: 'not-found' as const, pages: [7, 77, 177], attempts: 'always' as const },
      { kind: 'server-error' as const, pages: [13], attempts: 'always' as const },
    ];
    const run = await start({ shop: { pages: 200, faults: [...lasting, ...PASSING_FAULTS] } });
    await run.produce('--pages', '1-200');
    await run.scheduler();
    const node = await run.consumer('node-1', { args: ['--until-done'] });
    expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);
    const saved = await audit(cluster, 200);
    expect(saved).toMatchObject({ pages: 196, deadUrls: 4, goodsRows: 196 * 24 });
    const dead = await run.query('select kind, status, failures from dist_crawl_dead_urls order by failures, id');
    expect(dead.map(({ status, failures }) => [status, failures])).toEqual([
      [404, 1],
      [404, 1],
      [404, 1],
      [500, 5],
    ]);
    // Not queued again by the producer.
    const lines = await run.produce('--pages', '1-200');
    expect((await run.frontier.census()).waiting, lines.join('\n')).toBe(0);
  });

  it('gives every page to one of four workers on two nodes: the shop counts one request a page', async () => {
    const { shop, ...run } = await start({ shop: { pages: 120 } });
    await run.produce('--pages', '1-120');
    const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => run.consumer(tag, { args: ['--until-done'] })));
    for (const node of nodes) expect((await node.exited).code).toBe(0);
    const saved = await audit(cluster, 120);
    const { paths } = shop.counts();
    const lists = Object.entries(paths).filter(([path]) => path.startsWith('/goods/list'));
    expect(lists).toHaveLength(120);
    expect(lists.every(([, { requests }]) => requests === 1)).toBe(true);
    expect(saved.nodes.map(({ node }) => node).sort()).toEqual(['node-1', 'node-2']);
  });

  it('queues each URL once, whoever asks for it', async () => {
    const run = await start({ shop: { pages: 400 } });
    await Promise.all([run.produce('--pages', '1-250'), run.produce('--pages', '150-400')]);
    await Promise.all([
      run.produce('--pages', '1-400', '--shard', '1/2'),
      run.produce('--pages', '1-400', '--shard', '2/2'),
    ]);
    await run.produce('--pages', '1-400');
    expect(await run.frontier.census()).toMatchObject({ waiting: 400, pending: 400, rounds: 0 });
    expect((await run.frontier.audit()).violations).toEqual([]);
  });

  it('finishes after a worker was killed in mid crawl, with no row twice', async () => {
    const run = await start({ shop: { pages: 200 }, site: ['pace: { rate: 60/s, concurrency: 32 }'] });
    await run.produce('--pages', '1-200');
    const nodes = await Promise.all(['node-1', 'node-2'].map((tag) => run.consumer(tag)));
    await run.scheduler();
    while ((await run.frontier.census()).done < 40) await new Promise((resolve) => setTimeout(resolve, 20));
    const [child] = await childrenOf(nodes[0]?.pid ?? 0);
    process.kill(child ?? 0, 'SIGKILL');
    const line = await nodes[0]?.waitForLine(/back in the queue|died/, 5_000);
    expect(line).toBeDefined();
    await run.finished();
    await audit(cluster, 200);
    for (const node of nodes) expect((await node.stop()).code).toBe(0);
  });

  it('ends in good order where nothing is to be done, before its workers are up', async () => {
    const run = await start({ shop: { pages: 1 } });
    const node = await run.consumer('node-1', { args: ['--until-done'], env: { DRAIN_DEADLINE: '60s' } });
    const began = Date.now();
    expect((await node.exited).code).toBe(0);
    expect(Date.now() - began).toBeLessThan(45_000);
    expect(node.lines().filter((line) => /killed/.test(line))).toEqual([]);
  });

  it('stops on SIGTERM with what it had unfetched back in the queue, and nothing in flight', async () => {
    const run = await start({ shop: { pages: 300 }, site: ['pace: { rate: 40/s, concurrency: 32 }'] });
    await run.produce('--pages', '1-300');
    const node = await run.consumer('node-1');
    while ((await run.frontier.census()).done < 20) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await node.stop()).code, node.lines().slice(-10).join('\n')).toBe(0);
    const census = await run.frontier.census();
    expect(census).toMatchObject({ inFlight: 0, failed: 0, workers: [] });
    expect(census.waiting + census.done).toBe(300);
    expect((await run.frontier.audit()).violations).toEqual([]);
  });
});

async function childrenOf(pid: number): Promise<number[]> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
