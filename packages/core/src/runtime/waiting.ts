import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../errors/index.js';

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  }
}

/** Whether an error says no more than that `signal` was aborted. */
export function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'));
}

export interface BackoffOptions {
  /** The first delay. */
  readonly baseMs: number;
  /** No delay is longer. */
  readonly maxMs: number;
  /** Which part of a delay is left to chance, 0 to 1, so that many nodes do not come back at once. Default 0.5. */
  readonly jitter?: number;
  /** A number from 0 to 1, for tests. */
  readonly random?: () => number;
}

/** Gives the delay in milliseconds after the n-th failure (from 1): doubled each time, up to `maxMs`. */
export type Backoff = (failures: number) => number;

export function backoff({ baseMs, maxMs, jitter = 0.5, random = Math.random }: BackoffOptions): Backoff {
  return (failures) => {
    const full = Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(failures - 1, 0), 52));
    return Math.round(full * (1 - jitter * random()));
  };
}

export interface Failure {
  readonly error: unknown;
  /** How often it failed until now, from 1. */
  readonly failures: number;
  readonly delayMs: number;
}

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly backoff: Backoff;
  /** When the next attempt would begin later than this after the first one, the last error is thrown. Default: never. */
  readonly deadlineMs?: number;
  /** Default: everything but a ConfigError, which no waiting mends. */
  readonly isRetryable?: (error: unknown) => boolean;
  readonly onRetry?: (failure: Failure) => void;
}

/** Calls `attempt` until it succeeds. Rejects with the signal's reason when aborted, else with the last error. */
export async function retry<T>(attempt: (signal: AbortSignal) => Promise<T>, options: RetryOptions): Promise<T> {
  const {
    signal,
    deadlineMs = Number.POSITIVE_INFINITY,
    isRetryable = (error) => !(error instanceof ConfigError),
  } = options;
  const begun = performance.now();
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await attempt(signal);
    } catch (error) {
      signal.throwIfAborted();
      const delayMs = options.backoff(failures);
      if (!isRetryable(error) || performance.now() - begun + delayMs > deadlineMs) throw error;
      options.onRetry?.({ error, failures, delayMs });
      await sleep(delayMs, signal);
    }
  }
}

/** Time was out. */
export class DeadlineError extends Error {
  readonly code = 'DEADLINE';
  readonly deadlineMs: number;

  constructor(deadlineMs: number) {
    super(`not finished within ${deadlineMs} ms`);
    this.name = 'DeadlineError';
    this.deadlineMs = deadlineMs;
  }
}

/**
 * Runs something that may take `deadlineMs` milliseconds. Its signal is aborted when time is out (reason: DeadlineError) or
 * with the outer one; the result is then rejected at once, even if `run` pays no heed. (AbortSignal.any with AbortSignal.timeout would do, but
 * on Node 20 each such signal stays with its long-lived source for ever.)
 */
export async function withDeadline<T>(
  deadlineMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const passOn = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', passOn, { once: true });
  const timer = setTimeout(() => controller.abort(new DeadlineError(deadlineMs)), deadlineMs);
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      // A rejection after the abort has been told already: reject() of a settled promise does nothing.
      Promise.resolve()
        .then(() => run(signal))
        .then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', passOn);
  }
}
