import { withDeadline, type Part } from '@dist-crawl/core/runtime';
import type { HeldTasks } from './held-tasks.js';
import type { SiteLoop } from './site-loop.js';

/** The loops of all sites as one part: on stop nothing more is claimed, and what runs may finish until the deadline. */
export class Crawl implements Part {
  readonly name = 'crawl';
  readonly #loops: readonly SiteLoop[];
  readonly #held: HeldTasks;
  readonly #stop: AbortController;
  #done: Promise<unknown> | undefined;

  constructor(loops: readonly SiteLoop[], held: HeldTasks, stop: AbortController) {
    this.#loops = loops;
    this.#held = held;
    this.#stop = stop;
  }

  start(): void {
    this.#done ??= Promise.all(this.#loops.map((loop) => loop.run(this.#stop.signal)));
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort(new Error('the worker stops'));
    // Nothing was asked for yet: back to the queue at once.
    this.#held.abort('stopped', (_task, started) => !started);
    const done = this.#done;
    if (done === undefined) return;
    const timer = setTimeout(() => this.#held.abort('stopped'), deadlineMs * 0.7);
    try {
      await withDeadline(deadlineMs, undefined, () => done);
    } finally {
      clearTimeout(timer);
    }
  }
}
