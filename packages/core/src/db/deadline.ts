import { setMaxListeners } from 'node:events';

/** What may end a wait early. */
export interface Limits {
  readonly signals: readonly (AbortSignal | undefined)[];
  /** Milliseconds; Infinity for none. */
  readonly timeoutMs: number;
  /** Called when the wait ends early, to give up what the work holds. */
  readonly abandon?: () => void;
}

/** The database did not answer in time. */
export class DeadlineError extends Error {
  readonly code = 'DATABASE_DEADLINE';

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = 'DeadlineError';
  }
}

/**
 * Settles as `work` does, or rejects before: at the time limit (DeadlineError), or with the reason of a signal.
 * `work` itself is not stopped; what it does later is ignored.
 */
export async function bounded<T>(work: Promise<T>, { signals, timeoutMs, abandon }: Limits): Promise<T> {
  const watched = signals.filter((signal) => signal !== undefined);
  // Many calls wait at once for the same signal: no leak to be warned of.
  setMaxListeners(0, ...watched);
  const undo: (() => void)[] = [];
  try {
    return await new Promise<T>((resolve, reject) => {
      work.then(resolve, reject);
      const giveUp = (reason: unknown) => {
        abandon?.();
        reject(reason instanceof Error ? reason : new Error(String(reason)));
      };
      for (const signal of watched) {
        if (signal.aborted) giveUp(signal.reason);
        const onAbort = () => giveUp(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        undo.push(() => signal.removeEventListener('abort', onAbort));
      }
      if (Number.isFinite(timeoutMs)) {
        const timer = setTimeout(() => giveUp(new DeadlineError(timeoutMs)), timeoutMs);
        undo.push(() => clearTimeout(timer));
      }
    });
  } finally {
    for (const step of undo) step();
  }
}

/** Waits; rejects with the reason of a signal that aborts. */
export async function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await bounded(waited, { signals, timeoutMs: Infinity, abandon: () => clearTimeout(timer) });
}
