import { describe, expect, test } from 'vitest';
import { createSilentLogger } from '../../../src/logging/index.js';
import { LifeCycle } from '../../../src/runtime/life-cycle.js';
import type { Part } from '../../../src/runtime/part.js';
import { sleep } from '../../../src/runtime/waiting.js';

/** Parts that write down what happens to them. */
function diary() {
  const entries: string[] = [];
  const part = (name: string, overrides: Partial<Part> = {}): Part => ({
    name,
    start: async (signal) => {
      await overrides.start?.(signal);
      entries.push(`${name} started`);
    },
    stop: async (deadlineMs) => {
      await overrides.stop?.(deadlineMs);
      entries.push(`${name} stopped`);
    },
  });
  return { entries, part };
}

const run = (lifeCycle: LifeCycle, parts: Part[], drainDeadlineMs = 1000) =>
  lifeCycle.run({ logger: createSilentLogger(), parts, drainDeadlineMs });

describe('LifeCycle', () => {
  test('starts in order, stops in reverse, and ends clean', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    const ending = run(lifeCycle, [part('a'), part('b'), part('c')]);
    expect(lifeCycle.phase).toBe('starting');
    await sleep(5);
    expect(lifeCycle.phase).toBe('running');
    lifeCycle.requestStop('SIGTERM');
    lifeCycle.requestStop('again');
    expect(lifeCycle.phase).toBe('stopping');
    expect(await ending).toEqual({ kind: 'clean' });
    expect(lifeCycle.phase).toBe('stopped');
    expect(entries).toEqual(['a started', 'b started', 'c started', 'c stopped', 'b stopped', 'a stopped']);
  });

  test('a stop before the start starts nothing', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    lifeCycle.requestStop('early');
    expect(await run(lifeCycle, [part('a')])).toEqual({ kind: 'clean' });
    expect(entries).toEqual([]);
  });

  test('a stop during a start aborts it, and the part is stopped all the same', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    const waiting = part('b', { start: (signal) => sleep(60_000, signal) });
    const ending = run(lifeCycle, [part('a'), waiting, part('c')]);
    await sleep(5);
    lifeCycle.requestStop('SIGTERM');
    expect(await ending).toEqual({ kind: 'clean' });
    expect(entries).toEqual(['a started', 'b stopped', 'a stopped']);
  });

  test('a start that pays no heed to the signal does not keep it from stopping', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    const ending = run(lifeCycle, [part('a', { start: () => new Promise(() => undefined) })]);
    lifeCycle.requestStop('SIGTERM');
    expect(await ending).toEqual({ kind: 'clean' });
    expect(entries).toEqual(['a stopped']);
  });

  test('a start that fails stops what was started, itself too', async () => {
    const { entries, part } = diary();
    const broken = new Error('no port');
    const failing = part('b', { start: () => Promise.reject(broken) });
    expect(await run(new LifeCycle(), [part('a'), failing, part('c')])).toEqual({ kind: 'failed', error: broken });
    expect(entries).toEqual(['a started', 'b stopped', 'a stopped']);
  });

  test('the first failure counts', async () => {
    const lifeCycle = new LifeCycle();
    const first = new Error('first');
    const ending = run(lifeCycle, []);
    lifeCycle.fail(first);
    lifeCycle.fail(new Error('second'));
    expect(await ending).toEqual({ kind: 'failed', error: first });
  });

  test('one deadline for all: a part that hangs is left, the others still get to close', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    const given: number[] = [];
    const noted = (name: string): Part => part(name, { stop: (deadlineMs) => void given.push(deadlineMs) });
    const hanging = part('hangs', { stop: () => new Promise(() => undefined) });
    const ending = run(lifeCycle, [noted('connection'), hanging, noted('loop')], 100);
    await sleep(5);
    lifeCycle.requestStop('SIGTERM');
    expect(await ending).toMatchObject({ kind: 'failed', error: { code: 'DEADLINE' } });
    expect(entries).toEqual([
      'connection started',
      'hangs started',
      'loop started',
      'loop stopped',
      'connection stopped',
    ]);
    expect(given[0]).toBeGreaterThan(50);
    expect(given[1]).toBe(0);
  });

  test('a part that fails to stop does not keep the others from it', async () => {
    const { entries, part } = diary();
    const lifeCycle = new LifeCycle();
    const ending = run(lifeCycle, [part('a'), part('b', { stop: () => Promise.reject(new Error('stuck')) })]);
    await sleep(5);
    lifeCycle.requestStop('SIGTERM');
    expect(await ending).toMatchObject({ kind: 'failed', error: { message: 'stuck' } });
    expect(entries.at(-1)).toBe('a stopped');
  });
});
