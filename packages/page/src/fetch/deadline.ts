import { FetchFailure } from './failure.js';

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that aborts after `timeoutMs` in all (kind `timeout`), or when the caller's signal does (kind `aborted`).
 * Built by hand since AbortSignal.any holds on to long-lived signals in Node 20. Dispose of it when the work is over.
 */
export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const stop = () => controller.abort(new FetchFailure('aborted', 'the fetch was given up'));
  const timer = setTimeout(() => {
    controller.abort(new FetchFailure('timeout', `not finished within ${timeoutMs / 1000} s`));
  }, timeoutMs);
  if (caller?.aborted === true) stop();
  caller?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', stop);
    },
  };
}
