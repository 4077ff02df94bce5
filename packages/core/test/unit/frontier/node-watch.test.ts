import { beforeEach, describe, expect, it } from 'vitest';
import { createNodeWatch, type NodeWatch, type Recovery } from '../../../src/frontier/index.js';

let now: number;
let signs: Map<string, number>;
let recovered: [string, number][];
let watch: NodeWatch;
/** How long Redis takes to answer, ms. */
let latency: number;

beforeEach(() => {
  now = 0;
  latency = 0;
  signs = new Map();
  recovered = [];
  const recovery: Recovery = {
    heartbeats() {
      now += latency;
      return Promise.resolve(new Map(signs));
    },
    recover(worker, death) {
      if ('lastSign' in death) recovered.push([worker, death.lastSign]);
      signs.delete(worker);
      return Promise.resolve({ kind: 'recovered', tasks: 1 });
    },
  };
  watch = createNodeWatch(recovery, { now: () => now });
});

async function lookFor(ms: number, beat?: () => void): Promise<void> {
  for (const end = now + ms; now < end; now += 1_000) {
    beat?.();
    await watch.runOnce();
  }
}

describe('the watch over other nodes', () => {
  it('takes a worker for dead whose heartbeat it has seen standing still for 15 s', async () => {
    signs.set('w', 5);
    await lookFor(15_000);
    expect(recovered).toEqual([]);
    await lookFor(2_000);
    expect(recovered).toEqual([['w', 5]]);
  });

  it('leaves one alone that beats, however old the beats look', async () => {
    let beat = 0;
    await lookFor(60_000, () => signs.set('w', (beat += 1)));
    expect(recovered).toEqual([]);
  });

  it('takes nobody for dead after an outage: watching begins anew', async () => {
    signs.set('w', 5);
    await lookFor(10_000);
    watch.reset();
    await lookFor(15_000);
    expect(recovered).toEqual([]);
  });

  it('does not count time in which it stood still itself', async () => {
    signs.set('w', 5);
    await lookFor(2_000);
    now += 60_000;
    await watch.runOnce();
    expect(recovered).toEqual([]);
  });

  it('takes nobody for dead after Redis stood still for less than that, though no connection was lost', async () => {
    signs.set('w', 5);
    await lookFor(5_000);
    latency = 12_000;
    await watch.runOnce();
    latency = 0;
    // The live worker had to wait, too; its next sign is on its way.
    await lookFor(6_000);
    expect(recovered).toEqual([]);
  });
});
