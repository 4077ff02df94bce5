import { describe, expect, it } from 'vitest';
import type { CanonicalUrl } from '../../../src/url/index.js';
import { urls, useBench } from './frontier-setup.js';

const bench = useBench();
const bloom = (errorRate: number, initialCapacity: number) => ({ store: 'bloom' as const, errorRate, initialCapacity });

describe('the Bloom store', () => {
  it('grows in layers before one overfills, and never forgets what it was told', async () => {
    const site = bench.open({ dedup: bloom(1e-3, 100) });
    const all = urls(1_000);
    await site.doneStore.remember(all);
    const { bloom: layers, done } = await site.census();
    expect(layers.map(({ capacity }) => capacity)).toEqual(
      [100, 200, 400, 800].map((size) => expect.closeTo(size, -1) as number),
    );
    expect(layers.every(({ count, capacity }) => count <= capacity)).toBe(true);
    expect((await site.intake.enqueue(all.slice(0, 1_000))).done).toBe(1_000);
    expect(done).toBeGreaterThan(985);
    expect(done).toBeLessThanOrEqual(1_000);
  });

  it('keeps to its error rate over all layers', async () => {
    const errorRate = 0.01;
    const site = bench.open({ dedup: bloom(errorRate, 200) });
    for (let start = 0; start < 3_000; start += 500) await site.doneStore.remember(urls(500, start));
    let wrong = 0;
    const probes = 10_000;
    for (let start = 0; start < probes; start += 1_000) {
      const fresh = urls(1_000, 1_000_000 + start).map((url) => url.replace('/p/', '/never/') as CanonicalUrl);
      wrong += (await site.intake.enqueue(fresh)).done;
    }
    // 100 expected at the most; more than 160 has a chance of less than one in a hundred million.
    expect(wrong).toBeLessThan(160);
    const { bloom: layers } = await site.census();
    expect(layers.reduce((sum, layer) => sum + layer.presentError, 0)).toBeLessThanOrEqual(errorRate);
  });

  it('starts a generation each month of Redis time and drops whole ones', async () => {
    const site = bench.open({ dedup: bloom(1e-6, 1_000) });
    site.now = Date.UTC(2026, 0, 31, 23, 59);
    await site.doneStore.remember(urls(10));
    site.now = Date.UTC(2026, 1, 1);
    await site.doneStore.remember(urls(10, 10));
    site.now = Date.UTC(2028, 1, 29, 12);
    await site.doneStore.remember(urls(10, 20));
    expect((await site.census()).bloom.map(({ name }) => name)).toEqual(['2026-01.0', '2026-02.0', '2028-02.0']);
    expect(await site.doneStore.dropGenerationsBefore('2026-02')).toEqual(['2026-01.0']);
    expect(await bench.client.exists(`${site.keys.doneBloom}:2026-01.0`)).toBe(0);
    expect(await site.intake.enqueue(urls(30))).toMatchObject({ queued: 10, done: 20 });
  });

  it('crawls a URL that is pending, whatever the filter says meanwhile', async () => {
    const site = bench.open({ dedup: bloom(1e-6, 1_000) });
    await site.leases.register('a');
    await site.intake.enqueue(urls(1), { fresh: true });
    await site.doneStore.remember(urls(1));
    expect(await site.take('a')).toHaveLength(1);
  });
});
