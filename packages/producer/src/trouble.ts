import { isTransient } from '@dist-crawl/core/db';
import type { Logger } from '@dist-crawl/core/logging';
import { backoff, retry } from '@dist-crawl/core/runtime';

/**
 * What Redis answers while it cannot do its work just now: full, loading, failing over, unable to save. Before version 7
 * it wraps what a command of a script was refused for.
 */
const REDIS_REFUSALS =
  /^(?:ERR Error running script .*-)?(?:OOM|LOADING|BUSY|READONLY|MISCONF|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|NOREPLICAS) /u;

/** Whether an error of Redis or MySQL passes by itself. */
function passes(error: unknown): boolean {
  return (error instanceof Error && REDIS_REFUSALS.test(error.message)) || isTransient(error);
}

/**
 * Does something with Redis or MySQL as often as it takes, as long as what comes between passes by itself. (A connection
 * to Redis that is lost shows only as a long wait: the client does it again by itself.) Rejects with the signal's reason
 * `graceMs` after it, even if there is no answer: what was sent may still be done, then.
 */
export async function persist<T>(
  attempt: () => Promise<T>,
  { signal, logger, graceMs = 2000 }: { signal: AbortSignal; logger: Logger; graceMs?: number },
): Promise<T> {
  return await retry(() => outlast(attempt(), signal, graceMs), {
    signal,
    backoff: backoff({ baseMs: 200, maxMs: 5000 }),
    isRetryable: passes,
    onRetry: ({ error, failures, delayMs }) => {
      const told = failures === 1 || failures % 12 === 0;
      if (told) logger.warn({ err: error, failures }, `refused, tried again in ${delayMs} ms: ${String(error)}`);
    },
  });
}

/** The result of `work`, or the signal's reason when the signal has been aborted for `graceMs` and there still is none. */
async function outlast<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const tired = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), graceMs);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, tired]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
