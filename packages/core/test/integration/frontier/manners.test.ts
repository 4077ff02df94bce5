import { describe, expect, it } from 'vitest';
import { paceNow } from '../../../src/frontier/index.js';
import { urls, useBench, type Bench } from './frontier-setup.js';

const bench = useBench();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ORIGIN = 'http://shop.test';

/** How many tasks a site gives out within a time, asked every 100 ms by its own clock. */
async function takenWithin(site: Bench.Site, ms: number): Promise<number> {
  let taken = 0;
  for (const end = site.now + ms; site.now < end; site.now += 100) taken += (await site.take('w')).length;
  return taken;
}

describe('Crawl-delay of robots.txt', () => {
  it('slows the site down for all workers, from the moment when the first of them knows it', async () => {
    const site = bench.open({ pace: { ratePerSecond: 10, burst: 5 } });
    await site.intake.enqueue(urls(100));
    await site.leases.register('w');
    expect(await site.take('w')).not.toHaveLength(0);
    expect(await site.reportCrawlDelay(ORIGIN, 2)).toEqual({ kind: 'slower', since: site.now });
    const since = site.now;
    site.now += 50;
    expect(await site.reportCrawlDelay(ORIGIN, 2)).toEqual({ kind: 'same', since });
    expect(await site.take('w')).toEqual([]);
    expect([9, 10]).toContain(await takenWithin(site, 20 * SECOND));
  });

  it('makes no site faster, and ends with the line in robots.txt', async () => {
    const site = bench.open({ pace: { ratePerSecond: 0.2 } });
    await site.reportCrawlDelay(ORIGIN, 1);
    await site.intake.enqueue(urls(100));
    await site.leases.register('w');
    expect(await takenWithin(site, 60 * SECOND)).toBeLessThanOrEqual(13);
    expect((await site.reportCrawlDelay(ORIGIN, null)).kind).toBe('faster');
    expect((await site.census()).pace.crawlDelayMs).toBeNull();
  });

  it('of several hosts the longest holds; one beyond five minutes counts as five', async () => {
    const site = bench.open();
    await site.reportCrawlDelay('http://a.test', 3);
    await site.reportCrawlDelay('http://b.test', 1);
    expect((await site.census()).pace.crawlDelayMs).toBe(3_000);
    await site.reportCrawlDelay('http://a.test', null);
    expect((await site.census()).pace.crawlDelayMs).toBe(1_000);
    await site.reportCrawlDelay('http://b.test', 86_400);
    expect((await site.census()).pace.crawlDelayMs).toBe(300_000);
  });
});

describe('the pace set by hand', () => {
  it('holds at once, for tasks and other requests, until it is reset', async () => {
    const site = bench.open({ pace: { ratePerSecond: 1 } });
    await site.intake.enqueue(urls(500));
    await site.leases.register('w');
    expect(await takenWithin(site, 10 * SECOND)).toBeLessThanOrEqual(11);
    await site.operator.setPace({ ratePerSecond: 10 });
    expect(await takenWithin(site, 10 * SECOND)).toBeGreaterThanOrEqual(93);
    await site.operator.setPace({ concurrency: 3 });
    expect(await takenWithin(site, SECOND)).toBe(0);
    await site.operator.resetPace();
    const { pace } = await site.census();
    expect(pace).toEqual({ byHand: { ratePerSecond: undefined, concurrency: undefined }, crawlDelayMs: null });
    expect(await takenWithin(site, 10 * SECOND)).toBeLessThanOrEqual(12);
  });

  it('may be no limit at all, but never faster than robots.txt allows', async () => {
    const site = bench.open({ pace: { ratePerSecond: 1 } });
    const held = async () => paceNow({ ratePerSecond: 1, burst: 1, concurrency: 4 }, (await site.census()).pace);
    expect(await held()).toEqual({ ratePerSecond: 1, concurrency: 4, rateFrom: 'site-file' });
    await site.operator.setPace({ ratePerSecond: null, concurrency: 9 });
    expect(await held()).toEqual({ ratePerSecond: null, concurrency: 9, rateFrom: 'hand' });
    await site.reportCrawlDelay(ORIGIN, 4);
    expect(await held()).toEqual({ ratePerSecond: 0.25, concurrency: 9, rateFrom: 'crawl-delay' });
    await site.intake.enqueue(urls(100));
    await site.leases.register('w');
    const taken = await takenWithin(site, 40 * SECOND);
    expect([9, 10]).toContain(taken); // the first place was a delay away already
  });
});

describe('a task that is put off', () => {
  const failure = { kind: 'robots-unreachable', message: 'robots.txt: 500', node: 'n' };

  it('comes back later and later, and counts as failing only after a day of it', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(1));
    await site.leases.register('w');
    const begun = site.now;
    const waits: number[] = [];
    for (;;) {
      const [task] = await site.take('w');
      if (task === undefined) throw new Error('nothing to take');
      const result = await site.leases.defer('w', task, failure);
      if (result.status !== 'deferred') {
        expect(result).toEqual({ status: 'failed', failures: 1 });
        break;
      }
      waits.push(result.waitMs);
      expect(await site.take('w')).toEqual([]);
      site.now += result.waitMs + 1;
    }
    expect(waits.slice(0, 7).map((ms) => ms / MINUTE)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(site.now - begun).toBeGreaterThanOrEqual(24 * HOUR);
    expect(site.now - begun).toBeLessThan(25 * HOUR);
    expect(await site.census()).toMatchObject({ failed: 1, pending: 1, waiting: 0 });
    // From here on each time is a failure: it ends among the dead like any other.
    await site.retries.requeue(5, 10);
    const [again] = await site.take('w');
    expect(again && (await site.leases.defer('w', again, failure))).toEqual({ status: 'failed', failures: 2 });
  });

  it('waits at least as long as was asked for', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(1));
    await site.leases.register('w');
    const [task] = await site.take('w');
    expect(task && (await site.leases.defer('w', task, { ...failure, waitMs: HOUR }))).toMatchObject({ waitMs: HOUR });
  });

  it('is not looked for again and again: a long queue that is all put off rests until something changes', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(1_000));
    await site.leases.register('w');
    for (let taken = 0; taken < 1_000;) {
      const tasks = await site.take('w', 100);
      taken += tasks.length;
      for (const task of tasks) await site.leases.defer('w', task, failure);
    }
    let request = 10_000;
    const claim = () => site.leases.claim('w', (request += 1), 20);
    let looks = 0;
    for (let answer = await claim(); answer.kind === 'wait' && answer.reason === 'passed-over'; answer = await claim())
      looks += 1;
    expect(looks).toBeLessThanOrEqual(12);
    for (let n = 0; n < 5; n += 1)
      expect(await claim()).toEqual({ kind: 'wait', waitMs: 1_000, reason: 'not-before', detail: '1000' });

    await site.intake.enqueue(urls(1, 5_000));
    let found = await claim();
    for (let n = 0; found.kind === 'wait' && n < 15; n += 1) found = await claim();
    expect(found).toMatchObject({ kind: 'tasks', tasks: [{ url: urls(1, 5_000)[0] }] });

    site.now += MINUTE + 1;
    expect(await site.take('w', 20)).toHaveLength(20);
  });
});

describe('figures of proxies', () => {
  it('add up over processes, and tell which rests for how long', async () => {
    const site = bench.open();
    const seen = { proxy: 'http://p:1', answered: 3, failed: 1, rests: 0, restsMs: 0, lastError: null };
    await site.proxies.report([seen, { ...seen, proxy: 'socks5://q:2' }]);
    await site.proxies.report([{ ...seen, answered: 0, failed: 3, rests: 1, restsMs: 60_000, lastError: 'refused' }]);
    const [p, q] = await site.proxies.read();
    expect(p).toMatchObject({ proxy: 'http://p:1', answered: 3, failed: 4, rests: 1, lastError: 'refused' });
    expect(p?.restsMs).toBeGreaterThan(50_000);
    expect(q).toEqual({ ...seen, proxy: 'socks5://q:2' });
  });
});
