import type { Census, Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { beforeEach, describe, expect, it } from 'vitest';
import { createStillnessWatch } from '../../src/primary/stillness.js';
import type { WorkerProcess } from '../../src/primary/worker-process.js';

const QUIET = { waiting: 7, inFlight: 2, failed: 0, counters: { done: 1 }, pause: { kind: 'none' } };

describe('the watch for a crawl that stands still', () => {
  let now: number;
  let census: object;
  let told: string[];
  let published: string | null;
  let waits: Record<string, string>[];
  let look: () => Promise<void>;

  beforeEach(() => {
    now = 0;
    census = QUIET;
    told = [];
    published = null;
    waits = [{}];
    const standstill = {
      tell: (reason: string) => Promise.resolve(void (published = reason)),
      clear: () => Promise.resolve(void (published = null)),
      read: () => Promise.resolve(published),
    };
    const frontier = { census: () => Promise.resolve(census as Census), standstill } as Frontier;
    const logger = { warn: (_: object, line: string) => told.push(line) } as unknown as Logger;
    const workers = (): WorkerProcess[] => waits.map((each) => ({ waits: each }) as unknown as WorkerProcess);
    look = createStillnessWatch(new Map([['shop', frontier]]), workers, logger, { now: () => now });
  });

  async function pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      await look();
      now += 10_000;
    }
    await look();
  }

  it('says nothing within a minute, then once a minute', async () => {
    await pass(50);
    expect(told).toEqual([]);
    await pass(10);
    expect(told).toHaveLength(1);
    await pass(50);
    expect(told).toHaveLength(1);
    await pass(10);
    expect(told).toHaveLength(2);
  });

  it('says nothing while pages end, nor when nothing waits', async () => {
    for (let done = 0; done < 20; done += 1) {
      census = { ...QUIET, counters: { done } };
      await pass(10);
    }
    census = { ...QUIET, waiting: 0 };
    await pass(200);
    expect(told).toEqual([]);
  });

  it('lets `crawl status` know the reason, until pages end again', async () => {
    await pass(60);
    expect(published).toBe('7 wait, 2 are in flight');
    census = { ...QUIET, counters: { done: 2 } };
    await pass(10);
    expect(published).toBeNull();
  });

  it.each([
    [
      'a hold',
      { pause: { kind: 'held', reason: 'new layout', leftMs: null } },
      [{}],
      'the site is held: new layout (`crawl resume shop` goes on)',
    ],
    [
      'a pause',
      { pause: { kind: 'paused', reason: 'HTTP 429', leftMs: 90_000 } },
      [{}],
      'the site is paused for 90 s: HTTP 429',
    ],
    ['that MySQL is away', {}, [{ shop: 'MySQL is away' }, { shop: 'MySQL is away' }], '7 wait; MySQL is away'],
    ['that all are busy', {}, [{ shop: 'all 16 slots are taken' }], '7 wait; all 16 slots are taken'],
    ['that no worker is alive', {}, [], 'no worker of this node is alive'],
    ['figures for want of a reason', {}, [{}], '7 wait, 2 are in flight'],
  ])('names %s', async (_, change, each, reason) => {
    census = { ...QUIET, ...change };
    waits = each;
    await pass(60);
    expect(told).toEqual([`shop: nothing finished for a minute: ${reason}`]);
  });
});
