import { describe, expect, it } from 'vitest';
import { useBench, urls, type Bench } from '../../integration/frontier/frontier-setup.js';

const bench = useBench();

/** All keys of a site as they are now; the function given back makes them so again, as a failover to a replica that lags does. */
async function remember(site: Bench.Site): Promise<() => Promise<void>> {
  const { client } = bench;
  const pattern = `${site.keys.namespace}:*`;
  const kept: [string, Buffer][] = [];
  for (const key of await client.keys(pattern)) {
    const dump = await client.dumpBuffer(key);
    if (dump !== null) kept.push([key, dump]);
  }
  return async () => {
    const now = await client.keys(pattern);
    if (now.length > 0) await client.del(...now);
    for (const [key, dump] of kept) await client.restore(key, 0, dump);
  };
}

const clean = async (site: Bench.Site): Promise<void> => expect((await site.audit()).violations).toEqual([]);
const failure = { kind: 'http-500', message: 'oops', status: 500, node: 'n' };

describe('a master that lacks the last writes', () => {
  it('has forgotten a claim: the worker is told that its tasks are lost, and others crawl them', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(2));
    for (const worker of ['a', 'b']) await site.leases.register(worker);
    const goBack = await remember(site);
    const held = await site.take('a');
    await goBack();
    expect(await site.leases.renew('a', held)).toEqual({
      kind: 'renewed',
      unheld: 0,
      lost: held.map(({ url }) => url),
    });
    const taken = await site.take('b');
    expect(taken.map(({ url }) => url)).toEqual(held.map(({ url }) => url));
    expect(
      await site.leases.complete(
        'a',
        held.map((task) => ({ ...task, rows: 1 })),
      ),
    ).toEqual(['lost', 'lost']);
    expect(
      await site.leases.complete(
        'b',
        taken.map((task) => ({ ...task, rows: 1 })),
      ),
    ).toEqual(['completed', 'completed']);
    expect(await site.census()).toMatchObject({ done: 2, pending: 0 });
    await clean(site);
  });

  it('has forgotten how tasks ended: nobody holds them, and they are crawled once more', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(3));
    await site.leases.register('a');
    const [first, second, third] = await site.take('a');
    if (!first || !second || !third) throw new Error('three tasks were to be had');
    const goBack = await remember(site);
    await site.leases.complete('a', [{ ...first, rows: 1 }]);
    await site.leases.fail('a', second, failure);
    await site.leases.bury('a', [third]);
    await goBack();
    await clean(site);
    expect(await site.leases.renew('a', [])).toMatchObject({ unheld: 0 });
    site.now += 11_000;
    expect(await site.leases.renew('a', [])).toMatchObject({ unheld: 3 });
    await clean(site);
    const again = await site.take('a');
    expect(again).toHaveLength(3);
    expect(
      await site.leases.complete(
        'a',
        again.map((task) => ({ ...task, rows: 1 })),
      ),
    ).toEqual(Array(3).fill('completed'));
    expect(await site.census()).toMatchObject({ done: 3, dead: 0, failed: 0, pending: 0 });
    await clean(site);
  });

  it('has forgotten a worker: it is told so, claims nothing, and its tasks are not taken from who has them now', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(1));
    await site.leases.register('b');
    const goBack = await remember(site);
    await site.leases.register('a');
    const held = await site.take('a');
    await goBack();
    expect(await site.leases.renew('a', held)).toEqual({ kind: 'unregistered' });
    expect(await site.leases.claim('a', 99, 1)).toEqual({ kind: 'unregistered' });
    expect(await site.take('b')).toHaveLength(1);
    for (const task of held) expect(await site.leases.fail('a', task, failure)).toMatchObject({ status: 'lost' });
    expect(await site.census()).toMatchObject({ inFlight: 1, failed: 0 });
    await clean(site);
  });

  it('has forgotten what was queued: the same URLs may be queued again', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(5));
    const goBack = await remember(site);
    await site.intake.enqueue(urls(10));
    await goBack();
    await clean(site);
    expect(await site.intake.enqueue(urls(10))).toMatchObject({ queued: 5, pending: 5 });
    await clean(site);
  });
});
