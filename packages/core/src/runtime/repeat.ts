import type { Part } from './part.js';
import { isAbort, sleep, withDeadline } from './waiting.js';

export interface RepeatOptions {
  /** From the beginning of one run to that of the next, in milliseconds. A longer run is followed by the next at once. */
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<void> | void;
  /** Whatever `run` throws; the repetition goes on. */
  readonly onError: (error: unknown) => void;
  /** When the first run is: at once (default), or after `everyMs`. */
  readonly first?: 'at once' | 'after a while';
}

/** Runs something again and again until the signal is aborted, never twice at a time. Never rejects. */
export async function repeat(options: RepeatOptions, signal: AbortSignal): Promise<void> {
  let next = performance.now() + (options.first === 'after a while' ? options.everyMs : 0);
  while (!signal.aborted) {
    try {
      // At least one turn of the event loop between runs, so that a slow run starves nothing.
      await sleep(Math.max(1, next - performance.now()), signal);
    } catch {
      return;
    }
    next = performance.now() + options.everyMs;
    try {
      await options.run(signal);
    } catch (error) {
      if (!isAbort(error, signal)) options.onError(error);
    }
  }
}

/** {@link repeat} as a part of a daemon: stopping waits for the run under way. */
export class Ticker implements Part {
  readonly name: string;
  readonly #options: RepeatOptions;
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;

  constructor(name: string, options: RepeatOptions) {
    this.name = name;
    this.#options = options;
  }

  start(signal: AbortSignal): void {
    if (this.#loop !== undefined || this.#stop.signal.aborted) return;
    const stop = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    this.#loop = repeat(this.#options, this.#stop.signal).finally(() => signal.removeEventListener('abort', stop));
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort(new Error(`${this.name} stops`));
    const loop = this.#loop;
    if (loop !== undefined) await withDeadline(deadlineMs, undefined, () => loop);
  }
}
