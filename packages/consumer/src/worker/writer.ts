import { sleep, type Part } from '@dist-crawl/core/runtime';
import { BatchSaver, type BatchSaverOptions } from './batch-saver.js';
import { isLost, type Finished } from './finished.js';

export interface WriterOptions extends Omit<BatchSaverOptions, 'signal' | 'waiting'> {
  /** What waits to be written at most; beyond it `add` makes its caller wait. */
  readonly capacity: number;
}

const MAX_BATCH_PAGES = 64;
const MAX_BATCH_ROWS = 4_000;
/** A batch gathers for so long while the last one is not on its way. */
const LINGER_MS = 20;

/**
 * Group commit: what comes in while one batch is saved makes up the next one. While MySQL or Redis is away the batch waits
 * here; the queue is bounded, so claiming stops.
 */
export class Writer implements Part {
  readonly name = 'writer';
  readonly #options: WriterOptions;
  readonly #saver: BatchSaver;
  readonly #queue: Finished[] = [];
  readonly #giveUp = new AbortController();
  #stopping = false;
  #wake: (() => void) | undefined;
  #room: (() => void)[] = [];
  #loop: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#saver = new BatchSaver({ ...options, signal: this.#giveUp.signal, waiting: () => this.#queue.length });
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** False while MySQL is away: claim nothing then. */
  get healthy(): boolean {
    return this.#saver.healthy;
  }

  /** Hands over a task; resolves when there is room for the next one. */
  async add(finished: Finished): Promise<void> {
    this.#queue.push(finished);
    this.#wake?.();
    if (this.#queue.length < this.#options.capacity) return;
    await new Promise<void>((resolve) => this.#room.push(resolve));
  }

  /** Writes what is there until the deadline; what is left stays in flight and is recovered by the primary. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    const timer = setTimeout(() => this.#giveUp.abort(new Error('the writer gives up')), deadlineMs);
    try {
      await this.#loop;
    } finally {
      clearTimeout(timer);
      this.#giveUp.abort(new Error('the writer stopped'));
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#giveUp;
    while (!signal.aborted) {
      if (this.#queue.length === 0) {
        if (this.#stopping) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      if (this.#queue.length < MAX_BATCH_PAGES && !this.#stopping)
        await sleep(LINGER_MS, signal).catch(() => undefined);
      const batch = this.#nextBatch();
      for (const wake of this.#room.splice(0)) wake();
      try {
        await this.#saver.save(batch);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.logger.error(
          { err: error, tasks: batch.length },
          'a batch could not be written; its tasks go back',
        );
        await this.#saver.giveBack(batch);
      }
    }
  }

  #nextBatch(): Finished[] {
    let rows = 0;
    let count = 0;
    for (const item of this.#queue) {
      rows += item.kind === 'page' ? item.page.goods.length : 1;
      if (count > 0 && (count >= MAX_BATCH_PAGES || rows > MAX_BATCH_ROWS)) break;
      count += 1;
    }
    const taken = this.#queue.splice(0, count);
    const lost = taken.filter(({ task }) => isLost(task)).map(({ task }) => task);
    this.#options.tallies.lost(lost.length);
    this.#options.onEnded(lost);
    return taken.filter(({ task }) => !isLost(task));
  }
}
