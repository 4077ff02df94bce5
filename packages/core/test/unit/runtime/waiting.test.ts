import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ConfigError } from '../../../src/errors/index.js';
import {
  backoff,
  DeadlineError,
  type Failure,
  isAbort,
  retry,
  sleep,
  withDeadline,
} from '../../../src/runtime/waiting.js';

/** An attempt that fails so many times, then gives how often it was called. */
function failing(times: number) {
  let calls = 0;
  return vi.fn(async () => {
    calls++;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return calls;
  });
}

function broken(): never {
  throw new Error('broken');
}

describe('sleep', () => {
  test('resolves after its time', async () => {
    const begun = performance.now();
    await sleep(30);
    expect(performance.now() - begun).toBeGreaterThan(25);
  });

  test("rejects with the signal's reason as soon as it is aborted, also beforehand", async () => {
    const stop = new AbortController();
    const reason = new Error('stop');
    const sleeping = sleep(60_000, stop.signal);
    stop.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(sleep(60_000, stop.signal)).rejects.toBe(reason);
    expect(isAbort(reason, stop.signal)).toBe(true);
    expect(isAbort(new Error('other'), stop.signal)).toBe(false);
  });
});

describe('backoff', () => {
  test('doubles up to its limit', () => {
    const delay = backoff({ baseMs: 100, maxMs: 1000, jitter: 0 });
    expect([1, 2, 3, 4, 5, 6].map(delay)).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  test('stays between the part without jitter and the whole, for any number of failures', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, chance) => {
        const delay = backoff({ baseMs: 100, maxMs: 5000, jitter: 0.5, random: () => chance })(failures);
        const full = Math.min(5000, 100 * 2 ** (failures - 1));
        expect(delay).toBeGreaterThanOrEqual(Math.floor(full / 2));
        expect(delay).toBeLessThanOrEqual(full);
      }),
    );
  });
});

describe('retry', () => {
  const quick = backoff({ baseMs: 1, maxMs: 2 });
  test('goes on until it succeeds, and tells of every failure', async () => {
    const seen: Failure[] = [];
    const { signal } = new AbortController();
    await expect(retry(failing(3), { signal, backoff: quick, onRetry: (failure) => seen.push(failure) })).resolves.toBe(
      4,
    );
    expect(seen.map(({ failures, error }) => [failures, (error as Error).message])).toEqual([
      [1, 'failure 1'],
      [2, 'failure 2'],
      [3, 'failure 3'],
    ]);
  });

  test('throws the last error when the next attempt would come after the deadline', async () => {
    const { signal } = new AbortController();
    const slow = backoff({ baseMs: 10_000, maxMs: 10_000 });
    await expect(retry(failing(9), { signal, backoff: slow, deadlineMs: 50 })).rejects.toThrow('failure 1');
  });

  test('ends while it waits when aborted', async () => {
    const stop = new AbortController();
    const slow = backoff({ baseMs: 60_000, maxMs: 60_000 });
    const onRetry = (): void => stop.abort(new Error('stop'));
    await expect(retry(failing(9), { signal: stop.signal, backoff: slow, onRetry })).rejects.toThrow('stop');
  });

  test('does not repeat what waiting cannot mend', async () => {
    const attempt = vi.fn(async () => {
      throw new ConfigError([]);
    });
    await expect(retry(attempt, { signal: new AbortController().signal, backoff: quick })).rejects.toThrow(ConfigError);
    expect(attempt).toHaveBeenCalledOnce();
  });
});

describe('withDeadline', () => {
  test('gives the result, or the error', async () => {
    await expect(withDeadline(1000, undefined, () => 5)).resolves.toBe(5);
    await expect(withDeadline(1000, undefined, broken)).rejects.toThrow('broken');
  });

  test('rejects when time is out, aborting the signal, even if nobody heeds it', async () => {
    let seen: AbortSignal | undefined;
    const deaf = (signal: AbortSignal): Promise<void> => {
      seen = signal;
      return new Promise(() => undefined);
    };
    await expect(withDeadline(20, undefined, deaf)).rejects.toBeInstanceOf(DeadlineError);
    expect(seen?.reason).toBeInstanceOf(DeadlineError);
  });

  test('ends with the outer signal, and leaves no listener on it', async () => {
    const stop = new AbortController();
    const remove = vi.spyOn(stop.signal, 'removeEventListener');
    const running = withDeadline(60_000, stop.signal, (signal) => sleep(60_000, signal));
    stop.abort(new Error('stop'));
    await expect(running).rejects.toThrow('stop');
    expect(remove).toHaveBeenCalled();
    await expect(withDeadline(1000, stop.signal, () => 1)).rejects.toThrow('stop');
  });
});
