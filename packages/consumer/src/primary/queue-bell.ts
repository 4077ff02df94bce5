import { waitForTask, type Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { sleep, type Part } from '@dist-crawl/core/runtime';
import type { Stores } from '@dist-crawl/core/stores';

/** Waits at the empty queue of one site for all workers of the node, on a connection of its own. */
export class QueueBell implements Part {
  readonly name: string;
  readonly #frontier: Frontier;
  readonly #stores: Stores;
  readonly #logger: Logger;
  readonly #ring: () => void;
  readonly #stop = new AbortController();
  #wanted = false;
  #wake: (() => void) | undefined;
  #loop: Promise<void> | undefined;

  constructor(frontier: Frontier, stores: Stores, logger: Logger, ring: () => void) {
    this.name = `bell of ${frontier.site}`;
    this.#frontier = frontier;
    this.#stores = stores;
    this.#logger = logger;
    this.#ring = ring;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** A worker found the queue empty. */
  want(): void {
    this.#wanted = true;
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the bell stops'));
    this.#wake?.();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const connection = this.#stores.blockingRedis(`bell:${this.#frontier.site}`);
    signal.addEventListener('abort', () => connection.disconnect(), { once: true });
    while (!signal.aborted) {
      if (!this.#wanted) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      try {
        if (!(await waitForTask(connection, this.#frontier.keys))) continue;
        this.#wanted = false;
        this.#ring();
        // The ones woken need a moment to claim before the bell listens again.
        await sleep(20, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.debug({ err: error }, 'waiting at the queue was interrupted');
        await sleep(500, signal).catch(() => undefined);
      }
    }
  }
}
