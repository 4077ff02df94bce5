import { setTimeout as sleep } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Default 50 ms. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `check` until it gives something other than false, null or undefined, and gives that. A check that throws has
 * not come true yet, so assertions may stand in it; at the end of the time its last error is the cause.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<Awaited<T>, false | null | undefined>> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = performance.now() + timeoutMs;
  let last: unknown = null;
  for (;;) {
    try {
      const value = await check();
      if (isTrue(value)) return value;
      last = null;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= deadline) {
      const why = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`did not come true within ${timeoutMs} ms${why}`, { cause: last });
    }
    await sleep(options.everyMs ?? 50, undefined, { signal: options.signal });
  }
}

function isTrue<T>(value: T): value is Exclude<T, false | null | undefined> {
  return value !== false && value !== null && value !== undefined;
}
