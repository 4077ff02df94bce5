import { describe, expect, it } from 'vitest';
import type { Failure, Task } from '../../../src/frontier/index.js';
import { urls, useBench } from './frontier-setup.js';

const bench = useBench();
const node = 'n';

describe('claim', () => {
  it('gives tasks first in, first out, each to one worker', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.leases.register('b');
    await site.intake.enqueue(urls(4));
    expect((await site.take('a', 2)).map(({ url }) => url)).toEqual(urls(2));
    expect((await site.take('b', 5)).map(({ url }) => url)).toEqual(urls(2, 2));
    expect(await site.leases.claim('a', 99, 1)).toEqual({ kind: 'empty' });
  });

  it('refuses a worker that is not on the register', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(1));
    expect(await site.leases.claim('ghost', 1, 1)).toEqual({ kind: 'unregistered' });
  });

  it('sets a lock with the token and 30 s to live', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(1));
    const [task] = await site.take('a');
    const key = `${site.keys.lockPrefix}${urls(1)[0]}`;
    expect(await bench.client.get(key)).toBe(task?.token);
    const ttl = await bench.client.pttl(key);
    expect(ttl).toBeGreaterThan(29_000);
    expect(ttl).toBeLessThanOrEqual(30_000);
  });

  it('passes over a URL that somebody else has locked', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(2));
    await bench.client.set(`${site.keys.lockPrefix}${urls(1)[0]}`, 'somebody', 'PX', 10_000);
    expect((await site.take('a')).map(({ url }) => url)).toEqual(urls(1, 1));
    expect(await site.leases.claim('a', 50, 1)).toMatchObject({ kind: 'wait', reason: 'not-before' });
    await bench.client.del(`${site.keys.lockPrefix}${urls(1)[0]}`);
    expect((await site.take('a')).map(({ url }) => url)).toEqual(urls(1));
  });

  it('keeps one rate for all workers, hands slots out 500 ms ahead, and tells how long to wait', async () => {
    const site = bench.open({ pace: { ratePerSecond: 10 } });
    await site.leases.register('a');
    await site.leases.register('b');
    await site.intake.enqueue(urls(40));
    const first = await site.take('a', 4);
    const second = await site.take('b', 40);
    expect(first.map(({ delayMs }) => delayMs)).toEqual([0, 100, 200, 300]);
    expect(second.map(({ delayMs }) => delayMs)).toEqual([400, 500]);
    expect(await site.leases.claim('b', 80, 5)).toEqual({ kind: 'wait', waitMs: 100, reason: 'pace', detail: '10' });
    site.now += 1_000;
    expect((await site.take('b', 40)).map(({ delayMs }) => delayMs)).toEqual([0, 100, 200, 300, 400, 500]);
  });

  it('lets a burst through at once and no more', async () => {
    const site = bench.open({ pace: { ratePerSecond: 1, burst: 3 } });
    await site.leases.register('a');
    await site.intake.enqueue(urls(10));
    expect((await site.take('a', 10)).map(({ delayMs }) => delayMs)).toEqual([0, 0, 0]);
  });

  it('does not trust a stored time that lies far ahead', async () => {
    const site = bench.open({ pace: { ratePerSecond: 10 } });
    await site.leases.register('a');
    await site.intake.enqueue(urls(1));
    await bench.client.hset(site.keys.pace, 'tat', site.now + 3_600_000, 'paused_until', site.now + 400 * 86_400_000);
    expect(await site.take('a')).toHaveLength(1);
  });

  it('keeps the tasks in flight of all nodes below the concurrency of the site', async () => {
    const site = bench.open({ pace: { concurrency: 3 } });
    await site.leases.register('a');
    await site.leases.register('b');
    await site.intake.enqueue(urls(10));
    const tasks = await site.take('a', 2);
    expect(await site.take('b', 5)).toHaveLength(1);
    expect(await site.leases.claim('b', 70, 5)).toMatchObject({ kind: 'wait', reason: 'concurrency' });
    await site.leases.complete(
      'a',
      tasks.map((task) => ({ ...task, rows: 0 })),
    );
    expect(await site.take('b', 5)).toHaveLength(2);
  });
});

describe('complete', () => {
  it('records where redirects led as done, too, unless that is pending', async () => {
    const site = bench.open();
    await site.leases.register('a');
    const [first, second, third, fourth] = urls(4);
    await site.intake.enqueue([first, second, third].filter((url) => url !== undefined));
    const [one, two] = await site.take('a', 2);
    if (one === undefined || two === undefined) throw new Error('no tasks');
    await site.leases.complete('a', [
      { ...one, finalUrl: fourth, rows: 1 },
      { ...two, finalUrl: third, rows: 1 },
    ]);
    expect((await bench.client.smembers(site.keys.doneUrlSet)).sort()).toEqual([first, second, fourth].sort());
    expect((await site.intake.enqueue([fourth, third].filter((url) => url !== undefined))).done).toBe(1);
  });
});

describe('throttle', () => {
  async function claimed(count: number) {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(count));
    return { site, tasks: await site.take('a', count) };
  }
  const answer = { message: 'HTTP 429', status: 429, node };

  it('pauses the site for all, doubled once a pause and not once an answer, reset by a success', async () => {
    const { site, tasks } = await claimed(3);
    await site.leases.register('b');
    const pauses: number[] = [];
    for (const task of tasks) pauses.push((await site.leases.throttle('a', task, answer)).pausedMs);
    expect(pauses[0]).toBeGreaterThanOrEqual(1_000);
    expect(pauses[0]).toBeLessThanOrEqual(1_200);
    expect(new Set(pauses).size).toBe(1);
    expect(await site.leases.claim('b', 1, 1)).toMatchObject({ kind: 'wait', reason: 'paused', detail: 'HTTP 429' });

    site.now += 1_300;
    const [again, other] = await site.take('b', 2);
    if (again === undefined || other === undefined) throw new Error('no tasks');
    const second = await site.leases.throttle('b', again, answer);
    expect(second.pausedMs).toBeGreaterThanOrEqual(2_000);
    expect(second.pausedMs).toBeLessThanOrEqual(2_400);

    site.now += 2_500;
    const [good, bad] = await site.take('b', 2);
    if (good === undefined || bad === undefined) throw new Error('no tasks');
    await site.leases.complete('b', [{ ...good, rows: 1 }]);
    expect((await site.leases.throttle('b', bad, answer)).pausedMs).toBeLessThanOrEqual(1_200);
  });

  it('waits as long as Retry-After says', async () => {
    const { site, tasks } = await claimed(1);
    const [task] = tasks;
    if (task === undefined) throw new Error('no task');
    const { pausedMs, status } = await site.leases.throttle('a', task, { ...answer, retryAfterMs: 30_000 });
    expect(status).toBe('released');
    expect(pausedMs).toBeGreaterThanOrEqual(30_000);
    expect(pausedMs).toBeLessThanOrEqual(36_000);
  });

  it('fails a URL that is throttled five times while others pass, and only then', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(20));
    const bad = urls(1)[0];
    const outcomes: string[] = [];
    for (let round = 0; round < 200 && outcomes.at(-1) !== 'failed'; round += 1) {
      const [task]: readonly Task[] = await site.take('a', 1);
      if (task !== undefined && task.url === bad) {
        outcomes.push((await site.leases.throttle('a', task, answer)).status);
        await site.operator.resume();
      } else if (task !== undefined) {
        await site.leases.complete('a', [{ ...task, rows: 1 }]);
        await site.intake.enqueue(urls(1, 100 + round));
        site.now += 10;
      }
    }
    expect(outcomes).toEqual(['released', 'released', 'released', 'released', 'failed']);
    expect((await site.retries.exhausted(1, 10))[0]).toMatchObject({ url: bad, record: { kind: 'throttled' } });
  });

  it.each([
    ['the last one left, after five times', 1, 5],
    ['one of the last two, after fifty times each', 2, 99],
  ])('fails %s: a run comes to an end', async (_, count, answers) => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(count));
    const outcomes: string[] = [];
    while (!outcomes.includes('failed') && outcomes.length < 200) {
      for (const task of await site.take('a', 1)) outcomes.push((await site.leases.throttle('a', task, answer)).status);
      await site.operator.resume();
      site.now += 10;
    }
    expect(outcomes).toHaveLength(answers);
  });
});

describe('fail', () => {
  it('holds the site after thirty pages in a row without the goods that were expected', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(31));
    const tasks = await site.take('a', 31);
    for (const task of tasks.slice(0, 29)) {
      await site.leases.fail('a', task, { kind: 'no-goods', message: 'none', node });
    }
    expect((await site.census()).pause.kind).toBe('none');
    for (const task of tasks.slice(29, 30))
      await site.leases.fail('a', task, { kind: 'no-goods', message: 'none', node });
    expect((await site.census()).pause).toMatchObject({
      kind: 'held',
      reason: expect.stringContaining('layout') as string,
    });
    expect(await site.leases.claim('a', 90, 1)).toMatchObject({ kind: 'wait', reason: 'paused' });
    await site.operator.resume();
    expect((await site.census()).pause.kind).toBe('none');
  });

  it('holds it after as many pages on which its module failed, and says so once', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(31));
    const held: (string | null)[] = [];
    for (const task of await site.take('a', 31)) {
      const result = await site.leases.fail('a', task, { kind: 'module', message: 'x is not a function', node });
      if (result.held !== null) held.push(result.held);
    }
    expect(held).toEqual(['the module failed on 30 pages in a row: has the layout changed?']);
    expect((await site.census()).pause.kind).toBe('held');
    await site.standstill.tell('the site is held');
    await site.operator.resume();
    await expect.poll(() => site.standstill.read()).toBeNull();
  });

  it('pauses a site that does not answer, twice as long each time, until it does', async () => {
    const site = bench.open();
    await site.leases.register('a');
    await site.intake.enqueue(urls(60));
    const down = { kind: 'refused', message: 'connect ECONNREFUSED', away: true, node };
    const fail = async (task: Task, failure: Failure = down): Promise<number> =>
      (await site.leases.fail('a', task, failure)).pausedMs;
    const first = await site.take('a', 25);
    for (const task of first.slice(0, 18)) expect(await fail(task)).toBe(0);
    // a good answer in between, or one that tells of the page alone, and counting begins anew
    const [good, lone, ...others] = first.slice(18);
    if (good === undefined || lone === undefined) throw new Error('too few tasks');
    await site.leases.complete('a', [{ ...good, rows: 0 }]);
    for (const task of others) await fail(task);
    await fail(lone, { kind: 'too-large', message: 'more than 10 MB', node });
    const second = await site.take('a', 22);
    for (const task of second.slice(0, 19)) expect(await fail(task)).toBe(0);
    expect((await site.census()).pause.kind).toBe('none');

    const [twentieth, late, later] = second.slice(19);
    if (twentieth === undefined || late === undefined || later === undefined) throw new Error('too few tasks');
    const pause = await fail(twentieth);
    expect(pause).toBeGreaterThanOrEqual(10_000);
    expect(pause).toBeLessThanOrEqual(12_000);
    expect((await site.census()).pause).toMatchObject({
      kind: 'paused',
      reason: 'no good answer to 20 requests in a row (the last: refused, connect ECONNREFUSED)',
    });
    // what was asked for before the pause only confirms it
    site.now += 5_000;
    expect(await fail(late)).toBe(0);
    const { pause: confirmed } = await site.census();
    expect('leftMs' in confirmed ? confirmed.leftMs : null).toBeLessThanOrEqual(7_000);
    expect(await site.leases.claim('a', 90, 1)).toMatchObject({ kind: 'wait', reason: 'paused' });

    site.now += 10_000;
    const [third] = await site.take('a', 1);
    if (third === undefined) throw new Error('no task');
    expect(await fail(third)).toBeGreaterThanOrEqual(20_000);
    site.now += 30_000;
    const [answered, next] = await site.take('a', 2);
    if (answered === undefined || next === undefined) throw new Error('no task');
    await site.leases.complete('a', [{ ...answered, rows: 0 }]);
    expect(await fail(next)).toBe(0);
    expect(await fail(later)).toBe(0);
    expect((await site.census()).pause.kind).toBe('none');
  });
});

describe('recover', () => {
  it('charges a crash to the page that was being parsed, which is then given out alone, and at the third time fails', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(4));
    const suspect = urls(1)[0];
    for (let death = 1; death <= 3; death += 1) {
      const worker = `w${death}`;
      await site.leases.register(worker);
      const tasks: Task[] = [];
      while (!tasks.some(({ url }) => url === suspect)) {
        const got = await site.take(worker, 4);
        if (got.length === 0) throw new Error('the suspect never came');
        const others = got.filter(({ url }) => url !== suspect);
        tasks.push(...got.filter(({ url }) => url === suspect));
        if (death > 1) await site.leases.release(worker, others, { end: 'last' });
        else tasks.push(...others);
      }
      if (death > 1) {
        expect(tasks.map(({ url }) => url)).toEqual([suspect]);
        expect(await site.leases.claim(worker, 500, 4)).toMatchObject({ kind: 'wait', reason: 'suspect' });
      }
      await site.recovery.recover(worker, { processDied: true, suspect });
    }
    const [failed] = await site.retries.exhausted(1, 10);
    expect(failed).toMatchObject({ url: suspect, failures: 1, record: { kind: 'worker-crash' } });
    expect((await site.census()).waiting).toBe(3);
  });

  it('takes no worker for dead whose heartbeat has moved since it was watched', async () => {
    const site = bench.open();
    await site.leases.register('a');
    const sign = site.now;
    site.now += 20_000;
    await site.leases.renew('a', []);
    expect(await site.recovery.recover('a', { lastSign: sign })).toEqual({ kind: 'alive' });
    expect(await site.recovery.recover('a', { lastSign: site.now })).toEqual({ kind: 'recovered', tasks: 0 });
    expect(await site.leases.renew('a', [])).toEqual({ kind: 'unregistered' });
  });
});

describe('enqueue', () => {
  it('stops at the high-water mark and tells how far it came', async () => {
    const site = bench.open();
    await site.intake.enqueue(urls(5));
    const result = await site.intake.enqueue(urls(10), { highWater: 8 });
    expect(result).toEqual({ refused: {}, consumed: 8, queued: 3, pending: 5, done: 0, dead: 0 });
    expect((await site.census()).waiting).toBe(8);
  });
});

describe('rounds', () => {
  it('count while they are under way, and no longer than 30 s after their last sign of life', async () => {
    const site = bench.open();
    await site.intake.touchRound('r1');
    await site.intake.touchRound('r2');
    expect((await site.census()).rounds).toBe(2);
    await site.intake.endRound('r1');
    expect((await site.census()).rounds).toBe(1);
    site.now += 31_000;
    expect((await site.census()).rounds).toBe(0);
  });
});
