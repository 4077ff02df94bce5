import type { Census } from '@dist-crawl/core/frontier';
import { siteSchema } from '@dist-crawl/core/sites';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { explain } from '../../src/status/explain.js';
import { showStatus } from '../../src/status/show-status.js';
import { nodesOf, rateBetween, siteStatus } from '../../src/status/site-status.js';

const NOW = Date.UTC(2026, 0, 15, 12);
const site = siteSchema.parse({ name: 'demo-shop', base: 'http://127.0.0.1:8099', pace: { rate: '20/s' } });
const alive = [
  { worker: 'node-1~a1~1', silentMs: 900 },
  { worker: 'node-1~a1~2', silentMs: 400 },
  { worker: 'node-2~b2~1', silentMs: 100 },
];
const census = (changes: Partial<Census> = {}): Census => {
  const counts = { waiting: 0, inFlight: 0, failed: 0, done: 0, dead: 0, rounds: 0, ...changes };
  return {
    now: NOW,
    pending: counts.waiting + counts.inFlight + counts.failed,
    workers: [],
    pause: { kind: 'none' },
    pace: { byHand: {}, crawlDelayMs: null },
    counters: {},
    bloom: [],
    ...counts,
  };
};
const sentences = (later: Partial<Census>, earlier?: Partial<Census>): string[] =>
  explain(siteStatus(site, census(later), { earlier: earlier && census({ now: NOW - 1000, ...earlier }) }));

describe('the pace', () => {
  const paceLine = (pace: Census['pace']): string | undefined =>
    showStatus([siteStatus(site, census({ pace }))], 200).find((line) => line.startsWith('  pace'));

  test('is that of the site file, unless it was set by hand or robots.txt asks for less', () => {
    expect(paceLine({ byHand: {}, crawlDelayMs: null })).toBe(
      '  pace      20 pages/s for all nodes together; 16 at once',
    );
    expect(paceLine({ byHand: { ratePerSecond: 5, concurrency: 4 }, crawlDelayMs: null })).toBe(
      '  pace      5 pages/s for all nodes together, set by `crawl pace`; 4 at once',
    );
    expect(paceLine({ byHand: { ratePerSecond: null }, crawlDelayMs: 30_000 })).toBe(
      '  pace      a page every 30 s for all nodes together, as the Crawl-delay of robots.txt asks for; 16 at once',
    );
  });
});

test('proxies are listed with what they did, and which rests', () => {
  const proxy = {
    proxy: 'http://gate.example:8080',
    answered: 1_204,
    failed: 0,
    rests: 0,
    restsMs: 0,
    lastError: null,
  };
  const lastError = 'proxy socks5://10.0.0.2:1080: connect ECONNREFUSED';
  const bad = { ...proxy, proxy: 'socks5://10.0.0.2:1080', answered: 0, failed: 3, restsMs: 42_000, lastError };
  const lines = showStatus([siteStatus(site, census(), { proxies: [proxy, bad] })], 200);
  expect(lines.filter((line) => line.includes('answered')).map((line) => line.trim())).toEqual([
    'proxies   http://gate.example:8080: in use; 1,204 answered',
    `socks5://10.0.0.2:1080: rests for 42 s more; 0 answered, 3 failed (the last: ${lastError})`,
  ]);
});

test('failures are told by their kinds, the most frequent first', () => {
  const counters = { queued: 9, failed: 7, 'failed:timeout': 2, 'failed:http-500': 5, done: 2, 'refused:max-pages': 1 };
  const lines = showStatus([siteStatus(site, census({ counters }))], 200).map((line) => line.trim());
  expect(lines).toContain('failures  http-500 5, timeout 2');
  expect(lines).toContain('counted   queued 9, done 2, failed 7, refused:max-pages 1');
});

test('nodes with one tag are told apart', () => {
  const workers = [...alive, { worker: 'node-1~c3~1', silentMs: 10 }];
  const lines = showStatus([siteStatus(site, census({ workers }))], 200).map((line) => line.trim());
  expect(lines).toContain('nodes     node-1~a1 (2 workers), node-1~c3 (1 worker), node-2 (1 worker)');
});

describe('why nothing moves', () => {
  test('a node says what can be seen from inside only', () => {
    const standstill = '7 wait; MySQL is away: nothing is claimed until it is back';
    const status = siteStatus(site, census({ waiting: 7, workers: alive }), { standstill });
    expect(explain(status)[0]).toBe(`nothing ended for a minute: ${standstill}`);
  });

  test('nothing was ever queued', () => {
    expect(sentences({})).toEqual(['nothing was queued yet; start a producer']);
  });

  test('all is crawled', () => {
    expect(sentences({ done: 200 })).toEqual(['finished: nothing is waiting']);
    expect(sentences({ done: 198, dead: 2 })).toEqual([
      'finished: nothing is waiting; 2 URLs were given up (`crawl dead list`)',
    ]);
  });

  test('a producer has only begun', () => {
    expect(sentences({ rounds: 1 })).toEqual(['nothing is queued yet; a producer is at work']);
  });

  test('an operator holds the site', () => {
    const pause = { kind: 'held', reason: 'new prices at noon', leftMs: null } as const;
    expect(sentences({ waiting: 5, workers: alive, pause })).toEqual([
      'held: new prices at noon; `crawl resume demo-shop` ends it',
    ]);
  });

  test('the site asked for a pause, and how long it still takes', () => {
    const pause = { kind: 'paused', reason: 'HTTP 429', leftMs: 75_000 } as const;
    expect(sentences({ waiting: 5, workers: alive, pause })).toEqual(['paused for 1 min 15 s more: HTTP 429']);
  });

  test('URLs wait and no consumer is there', () => {
    expect(sentences({ waiting: 5 })).toEqual([
      'no consumer is at work on this site: 5 URLs wait; start one (`pnpm --filter consumer start`)',
    ]);
  });

  test('a node died: it does not count as at work', () => {
    expect(sentences({ waiting: 5, workers: [{ worker: 'node-1~a1~1', silentMs: 20_000 }] })).toEqual([
      'no consumer is at work on this site: 5 URLs wait; start one (`pnpm --filter consumer start`)',
      'node node-1 is silent for 20 s: its tasks are taken back by other nodes or the retry-scheduler',
    ]);
  });

  test('only failed URLs are left', () => {
    const scheduler = { node: 'node-1', retryCron: '*/30 * * * *' };
    const left = census({ failed: 3, done: 197, workers: alive });
    expect(explain(siteStatus(site, left, { scheduler }))).toEqual([
      "3 failed URLs wait for the retry-scheduler, which brings them back by RETRY_CRON '*/30 * * * *'",
    ]);
  });

  test('nobody brings failed URLs back', () => {
    const alone = 'no retry-scheduler is alive: 3 failed URLs wait; start one (`pnpm --filter retry-scheduler start`)';
    expect(sentences({ failed: 3, done: 197, workers: alive })).toEqual([alone]);
    const later = { waiting: 100, failed: 3, workers: alive, counters: { done: 20 } };
    expect(sentences(later, {})).toEqual(['moving: 20 pages/s, about 5 s for what is known now', alone]);
  });

  test('it is the pace', () => {
    const slow = siteSchema.parse({ name: 'slow', base: 'http://slow.example', pace: { rate: '30/h' } });
    expect(explain(siteStatus(slow, census({ waiting: 5, workers: alive })))).toEqual([
      'slow by its pace: a page every 2 min for all nodes together',
    ]);
  });

  test('it moves', () => {
    const later = { waiting: 100, inFlight: 20, workers: alive, counters: { done: 40 } };
    expect(sentences(later, { counters: { done: 20 } })).toEqual([
      'moving: 20 pages/s, about 6 s for what is known now',
    ]);
  });
});

test('the rate counts what ended, done or dead, by the clock of Redis', () => {
  const earlier = census({ now: NOW, counters: { done: 10, dead: 1 } });
  const later = census({ now: NOW + 2000, counters: { done: 27, dead: 2 } });
  expect(rateBetween(earlier, later)).toBe(9);
  expect(rateBetween(earlier, earlier)).toBeNull();
});

test('workers of one process are one node, also where a tag has a ~ in it', () => {
  expect(nodesOf([...alive, { worker: 'node-1~c3~1', silentMs: 16_000 }])).toEqual([
    { node: 'node-1~a1', tag: 'node-1', workers: 2, silentMs: 400, alive: true },
    { node: 'node-1~c3', tag: 'node-1', workers: 1, silentMs: 16_000, alive: false },
    { node: 'node-2~b2', tag: 'node-2', workers: 1, silentMs: 100, alive: true },
  ]);
});

test('the table and what is said below it fit 80 columns', () => {
  const bloomSite = siteSchema.parse({
    name: 'a-site-whose-name-is-so-long-that-the-table-has-to-cut-it',
    base: 'https://shop.example',
    dedup: 'bloom',
    pace: { rate: 'none' },
  });
  const layer = {
    name: '2026-01:1',
    capacity: 1_000_000,
    bits: 28_755_176,
    hashes: 20,
    count: 900_000,
    presentError: 9.2e-8,
  };
  const lines = showStatus(
    [
      siteStatus(
        site,
        census({
          waiting: 120,
          inFlight: 16,
          failed: 3,
          done: 1861,
          dead: 2,
          workers: alive,
          counters: { done: 1861, rows: 44_664, queued: 2000, dead: 2 },
        }),
        {
          earlier: census({ now: NOW - 1000, counters: { done: 1843, dead: 2 } }),
          deadByKind: { 'http-404': 1, timeout: 1 },
        },
      ),
      siteStatus(
        bloomSite,
        census({ waiting: 123_456_789, done: 900_000, dead: 7, bloom: [layer, { ...layer, name: '2026-01:2' }] }),
      ),
    ],
    80,
  );
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
  expect(lines.join('\n')).toMatchSnapshot();
});
