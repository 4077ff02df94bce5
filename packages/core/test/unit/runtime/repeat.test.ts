import { describe, expect, test } from 'vitest';
import { repeat, Ticker } from '../../../src/runtime/repeat.js';
import { DeadlineError, sleep } from '../../../src/runtime/waiting.js';

const unexpected = (error: unknown): never => {
  throw error;
};

const daemon = (): AbortSignal => new AbortController().signal;

describe('repeat', () => {
  test('never runs twice at a time', async () => {
    const stop = new AbortController();
    let running = 0;
    let most = 0;
    let runs = 0;
    const run = async (): Promise<void> => {
      running++;
      most = Math.max(most, running);
      await sleep(25);
      running--;
      if (++runs === 4) stop.abort();
    };
    await repeat({ everyMs: 5, run, onError: unexpected }, stop.signal);
    expect([most, runs]).toEqual([1, 4]);
  });

  test('a slow run is followed by the next at once, but those that it left out are not made up for', async () => {
    const stop = new AbortController();
    const begins: number[] = [];
    const run = async (): Promise<void> => {
      begins.push(performance.now());
      if (begins.length === 1) await sleep(200);
      if (begins.length === 4) stop.abort();
    };
    await repeat({ everyMs: 40, run, onError: unexpected }, stop.signal);
    const [first = 0, second = 0, , fourth = 0] = begins;
    expect(second - first).toBeLessThan(235);
    expect(fourth - second).toBeGreaterThan(70);
  });

  test('counts the interval from beginning to beginning', async () => {
    const stop = new AbortController();
    const begins: number[] = [];
    const run = async (): Promise<void> => {
      begins.push(performance.now());
      if (begins.length === 4) stop.abort();
      await sleep(30);
    };
    await repeat({ everyMs: 60, run, onError: unexpected }, stop.signal);
    // Counted from end to beginning it would be 270 ms.
    const took = (begins.at(-1) ?? 0) - (begins[0] ?? 0);
    expect(took).toBeGreaterThan(170);
    expect(took).toBeLessThan(260);
  });

  test('an error is reported, and the next run comes all the same', async () => {
    const stop = new AbortController();
    const errors: unknown[] = [];
    let runs = 0;
    const run = (): void => {
      if (++runs === 3) stop.abort();
      throw new Error(`run ${runs}`);
    };
    await repeat({ everyMs: 1, run, onError: (error) => errors.push((error as Error).message) }, stop.signal);
    expect(errors).toEqual(['run 1', 'run 2', 'run 3']);
  });

  test('an abort during a run or a wait is no error', async () => {
    const stop = new AbortController();
    const repeating = repeat({ everyMs: 1, run: (signal) => sleep(60_000, signal), onError: unexpected }, stop.signal);
    await sleep(10);
    stop.abort();
    await repeating;
    await repeat({ everyMs: 1, run: unexpected, onError: unexpected }, stop.signal);
  });

  test('the first run can wait', async () => {
    const stop = new AbortController();
    let runs = 0;
    const repeating = repeat(
      { everyMs: 60_000, first: 'after a while', run: () => void runs++, onError: unexpected },
      stop.signal,
    );
    await sleep(20);
    stop.abort();
    await repeating;
    expect(runs).toBe(0);
  });
});

describe('Ticker', () => {
  test('stopping waits for the run under way', async () => {
    let finished = false;
    const run = async (): Promise<void> => {
      await sleep(40);
      finished = true;
    };
    const ticker = new Ticker('t', { everyMs: 1, run, onError: unexpected });
    ticker.start(daemon());
    await sleep(10);
    await ticker.stop(1000);
    expect(finished).toBe(true);
  });

  test('a run that does not end is given up at the deadline', async () => {
    const ticker = new Ticker('t', { everyMs: 1, run: () => new Promise(() => undefined), onError: unexpected });
    ticker.start(daemon());
    await sleep(10);
    await expect(ticker.stop(20)).rejects.toBeInstanceOf(DeadlineError);
  });

  test('stop may come twice, and before start, after which nothing runs', async () => {
    let runs = 0;
    const ticker = new Ticker('t', { everyMs: 1, run: () => void runs++, onError: unexpected });
    await ticker.stop(10);
    await ticker.stop(10);
    ticker.start(daemon());
    await sleep(15);
    expect(runs).toBe(0);
  });
});
