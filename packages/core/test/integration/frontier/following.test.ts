import { describe, expect, it } from 'vitest';
import type { FrontierSite } from '../../../src/frontier/index.js';
import type { CanonicalUrl } from '../../../src/url/index.js';
import { urls, useBench } from './frontier-setup.js';

const bench = useBench();
const open = ({ pace, ...limits }: Partial<FrontierSite>) =>
  bench.open({ limits, ...(pace === undefined ? {} : { pace }) });
const at = (...paths: string[]) => paths.map((path) => `http://shop.test${path}` as CanonicalUrl);

describe('links that are followed', () => {
  it('are queued with their depth, however many they are', async () => {
    const site = open({});
    expect(await site.intake.follow(urls(2_500), 3)).toEqual({});
    expect((await site.census()).waiting).toBe(2_500);
    await site.leases.register('w');
    expect((await site.take('w', 1))[0]?.record).toEqual({ depth: 3 });
  });

  it('end at maxDepth; those known already are not refused', async () => {
    const site = open({ maxDepth: 2 });
    await site.intake.enqueue(urls(1));
    expect(await site.intake.follow(urls(3), 3)).toEqual({ 'max-depth': 2 });
    expect(await site.intake.follow(urls(3), 2)).toEqual({});
    expect((await site.census()).counters).toMatchObject({ queued: 3, 'refused:max-depth': 2 });
  });

  it('end at maxPages, for all who queue together', async () => {
    const site = open({ maxPages: 100 });
    const others = Array.from({ length: 4 }, () => site.same());
    await Promise.all(others.map((each, index) => each.intake.follow(urls(60, index * 40), 1)));
    const { pending, counters } = await site.census();
    expect(pending).toBe(100);
    expect(counters['refused:max-pages']).toBeGreaterThan(0);
    // Done, dead or waiting: a page is a page.
    await site.leases.register('w');
    const tasks = await site.take('w', 10);
    const [dead, ...done] = tasks;
    await site.leases.complete(
      'w',
      done.map((task) => ({ ...task, rows: 0, finalUrl: `${task.url}/moved` as CanonicalUrl })),
    );
    if (dead !== undefined) await site.leases.bury('w', [dead]);
    expect(await site.intake.follow(urls(5, 1_000), 1)).toEqual({ 'max-pages': 5 });
    expect(await site.intake.enqueue(urls(5, 1_000))).toMatchObject({
      queued: 0,
      consumed: 5,
      refused: { 'max-pages': 5 },
    });
    // One that is known may be crawled afresh.
    const again = done.slice(0, 1).map(({ url }) => url);
    expect(await site.intake.enqueue(again, { fresh: true })).toMatchObject({ queued: 1, refused: {} });
  });

  it('end where paths repeat themselves and where parameters combine without end', async () => {
    const site = open({ traps: { pathRepeats: 3, queryVariants: 10 } });
    expect(await site.intake.follow(at('/a/b/a/b/a/b', '/a/b/a/b'), 1)).toEqual({ 'path-repeat': 1 });
    const filters = (from: number, count: number) =>
      at(...Array.from({ length: count }, (_, index) => `/list?color=${from + index}&size=${index % 3}`));
    expect(await site.intake.follow(filters(0, 8), 1)).toEqual({});
    expect(await site.intake.follow(filters(0, 8), 1)).toEqual({});
    expect(await site.same().intake.follow(filters(8, 8), 2)).toEqual({ 'query-variants': 6 });
    // Another path, and one parameter, which is the page's own name, go on.
    expect(await site.intake.follow(at('/other?color=1&size=1'), 1)).toEqual({});
    const ids = at(...Array.from({ length: 50 }, (_, index) => `/list?id=${index}`));
    expect(await site.intake.follow(ids, 1)).toEqual({});
    // What a producer queues was asked for.
    expect(await site.intake.enqueue(filters(100, 20))).toMatchObject({ queued: 20, refused: {} });
    expect((await site.census()).counters).toMatchObject({ 'refused:path-repeat': 1, 'refused:query-variants': 6 });
  });
});

describe('a place in the pace', () => {
  it('is taken from what workers get', async () => {
    const site = open({ pace: { ratePerSecond: 10, burst: 1, concurrency: 1000 } });
    await site.leases.register('w');
    await site.intake.enqueue(urls(20));
    expect(await site.reserve()).toEqual({ kind: 'go', delayMs: 0 });
    expect((await site.take('w', 20)).map(({ delayMs }) => delayMs)).toEqual([100, 200, 300, 400, 500]);
    // One place further ahead than a worker, so that workers can't shut it out.
    expect(await site.reserve()).toEqual({ kind: 'go', delayMs: 600 });
    expect(await site.reserve()).toEqual({ kind: 'wait', waitMs: 100, reason: 'pace' });
    site.now += 700;
    expect((await site.take('w', 20)).map(({ delayMs }) => delayMs)).toEqual([0, 100, 200, 300, 400, 500]);
  });

  it('is not to be had while the site is paused, and at once without a rate', async () => {
    const site = open({});
    expect(await site.reserve()).toEqual({ kind: 'go', delayMs: 0 });
    await site.operator.hold('by hand');
    expect(await site.reserve()).toMatchObject({ kind: 'wait', reason: 'by hand' });
    await site.operator.resume();
    expect(await site.reserve()).toMatchObject({ kind: 'go' });
  });
});
