import { afterEach, describe, expect, it } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from '../e2e/cluster.js';

/*
 * Global pace, measured at the server: three nodes at `rate: 20/s` for a minute. `npm run bench:pace`; no part of `npm test`,
 * as it measures the machine, too. docs/benchmarks.md tells the figures.
 */

const RATE = 20;
const MINUTE_MS = 60_000;
const WINDOW_MS = 5_000;
const STEP_MS = 100;
const PER_WINDOW = (RATE * WINDOW_MS) / 1000;
const PAGES = 2_000;
const NODES = ['node-1', 'node-2', 'node-3'];

let cluster: Cluster;
const arrivals: number[] = [];
afterEach(() => cluster.stop());

const options: ClusterOptions = {
  shop: {
    pages: PAGES,
    log: (line) => {
      if (line.includes('/goods/list')) arrivals.push(performance.now());
    },
  },
  site: [`pace: { rate: ${RATE}/s, concurrency: 64 }`],
};

/** Requests in each window of five seconds of the minute that begins with the first one; side by side, and sliding. */
async function measure(title: string): Promise<void> {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  while (arrivals.length === 0) await wait(50);
  await wait(MINUTE_MS + 1_000);
  const first = arrivals[0] ?? 0;
  const within = (from: number): number =>
    arrivals.filter((time) => time >= first + from && time < first + from + WINDOW_MS).length;
  const starts = (step: number): number[] =>
    Array.from({ length: Math.floor((MINUTE_MS - WINDOW_MS) / step) + 1 }, (_, index) => index * step);
  const windows = starts(WINDOW_MS).map(within);
  const sliding = starts(STEP_MS).map(within);
  const total = arrivals.filter((time) => time < first + MINUTE_MS).length;
  const spread = `${Math.min(...sliding)} to ${Math.max(...sliding)}`;
  console.log(`${title}: ${windows.join(' ')}; sliding by ${STEP_MS} ms: ${spread}; in all ${total} in a minute`);
  // A machine that stands still for a moment shows in sliding windows: they are told, not judged.
  for (const count of windows) {
    expect(count).toBeGreaterThanOrEqual(PER_WINDOW * 0.95);
    expect(count).toBeLessThanOrEqual(PER_WINDOW * 1.05);
  }
}

/** One worker each: the pace is measured, not how long six cold processes take on a machine of few cores. */
const env = { PROCESS_NUM: '1', CONCURRENCY: '32' };
const startNodes = () => Promise.all(NODES.map((tag) => cluster.consumer(tag, { env })));

/** Registered, and past the load of starting up. */
async function allThere(): Promise<void> {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  while ((await cluster.frontier.census()).workers.length < NODES.length) await wait(200);
  await wait(2_000);
}

describe(`three nodes at ${RATE}/s, requests in windows of ${WINDOW_MS / 1000} s at the server`, () => {
  it('from a full queue', async () => {
    arrivals.length = 0;
    cluster = await startCluster(options);
    await cluster.produce('--pages', `1-${PAGES}`);
    await cluster.frontier.operator.hold('until all three nodes are there');
    await startNodes();
    await allThere();
    await cluster.frontier.operator.resume();
    await measure('from a full queue');
  });

  it('from an empty queue', async () => {
    arrivals.length = 0;
    cluster = await startCluster(options);
    await startNodes();
    await allThere();
    await cluster.produce('--pages', `1-${PAGES}`);
    await measure('from an empty queue');
  });
});
