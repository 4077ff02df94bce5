import type { Logger } from '../logging/index.js';
import type { Part, Phase } from './part.js';
import { isAbort, withDeadline } from './waiting.js';

/** A part that gets its turn late, because those before it used up the deadline, may still close its connections. */
const closingMs = 1000;

export interface Parts {
  readonly logger: Logger;
  readonly parts: readonly Part[];
  /** For all parts together. */
  readonly drainDeadlineMs: number;
}

/** What came of it: `clean`, or not, when a part failed to start, to run or to stop in time. */
export type Ending = { readonly kind: 'clean' } | { readonly kind: 'failed'; readonly error: unknown };

/**
 * From start to stop of a daemon's parts. Parts start in order, each when the one before is at work, and stop in reverse
 * order, so a part can use those before it until its end. `requestStop` and `fail` may come at any time, and more than once; the first
 * failure is the one that counts. The stop signal is aborted first, then parts are stopped one by one.
 */
export class LifeCycle {
  readonly #stop = new AbortController();
  readonly #stopRequested: Promise<void>;
  #phase: Phase = 'starting';
  #reason = 'finished';
  #failure: { readonly error: unknown } | undefined;

  constructor() {
    this.#stopRequested = new Promise((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Aborted when stopping begins. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** What would come of it if nothing failed from now on. */
  get ending(): Ending {
    return this.#failure === undefined ? { kind: 'clean' } : { kind: 'failed', error: this.#failure.error };
  }

  /** Ends the daemon in good order. `reason` is for the log. */
  requestStop(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#phase = 'stopping';
    this.#reason = reason;
    this.#stop.abort(new Error(`stopping: ${reason}`));
  }

  /** Ends the daemon because of an error that it cannot go on with. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.requestStop('after an error');
  }

  /** Starts the parts, waits until somebody asks to stop, stops them. Never rejects. */
  async run({ logger, parts, drainDeadlineMs }: Parts): Promise<Ending> {
    // Parts that hold no socket or timer just now do not keep Node from ending the process, without a word.
    const keepAlive = setInterval(() => undefined, 3_600_000);
    const begun = await this.#startAll(parts, logger);
    if (!this.signal.aborted) {
      this.#phase = 'running';
      logger.info('running');
    }
    await this.#stopRequested;
    logger.info({ reason: this.#reason, drainDeadlineMs }, `stopping: ${this.#reason}`);
    await this.#stopAll(begun, logger, drainDeadlineMs);
    clearInterval(keepAlive);
    this.#phase = 'stopped';
    return this.ending;
  }

  /** The parts whose start was called, also the one that failed: all these have to be stopped. */
  async #startAll(parts: readonly Part[], logger: Logger): Promise<Part[]> {
    const begun: Part[] = [];
    for (const part of parts) {
      if (this.signal.aborted) break;
      begun.push(part);
      logger.debug(`starting ${part.name}`);
      try {
        // A start that pays no heed to the signal must not keep the daemon from stopping.
        await Promise.race([part.start(this.signal), this.#stopRequested]);
      } catch (error) {
        if (!isAbort(error, this.signal)) this.fail(error);
      }
    }
    return begun;
  }

  async #stopAll(begun: readonly Part[], logger: Logger, drainDeadlineMs: number): Promise<void> {
    const deadline = performance.now() + drainDeadlineMs;
    for (const part of begun.toReversed()) {
      const leftMs = Math.max(0, deadline - performance.now());
      logger.debug(`stopping ${part.name}`);
      try {
        await withDeadline(leftMs + closingMs, undefined, () => part.stop(Math.round(leftMs)));
      } catch (error) {
        logger.error({ err: error }, `${part.name} did not stop well`);
        this.#failure ??= { error };
      }
    }
  }
}
