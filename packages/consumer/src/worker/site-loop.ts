import type { ClaimResult, Frontier, Task } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { backoff, sleep } from '@dist-crawl/core/runtime';
import type { EarlierVisits } from './earlier-visits.js';
import type { HeldTask, HeldTasks } from './held-tasks.js';
import type { Identity } from './identity.js';
import type { PrimaryLink } from './primary-link.js';
import type { RedisClock } from './redis-clock.js';
import type { Slots } from './slots.js';
import type { TaskRunner } from './task-runner.js';
import type { Writer } from './writer.js';

export interface SiteLoopOptions {
  readonly frontier: Frontier;
  readonly identity: Identity;
  readonly held: HeldTasks;
  readonly slots: Slots;
  readonly writer: Writer;
  readonly runner: TaskRunner;
  readonly earlierVisits: (tasks: readonly Task[]) => Promise<EarlierVisits>;
  readonly link: PrimaryLink;
  readonly clock: RedisClock;
  readonly logger: Logger;
}

/** An empty queue is asked again after so long even if the bell was missed. */
const EMPTY_WAIT_MS = 10_000;
const MAX_WAIT_MS = 1_000;
const errorBackoff = backoff({ baseMs: 200, maxMs: 5_000 });

/** Claims tasks of one site as long as there are free slots, and runs them. */
export class SiteLoop {
  readonly #options: SiteLoopOptions;
  readonly #running = new Set<Promise<void>>();
  #request = 0;
  #wake: (() => void) | undefined;
  /** Why nothing is claimed at present; undefined while tasks come. */
  waits: string | undefined;

  constructor(options: SiteLoopOptions) {
    this.#options = options;
  }

  /** The queue is no longer empty. */
  wake(): void {
    this.#wake?.();
  }

  /** Resolves when the signal is aborted and no task of the site is worked on any more. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { identity, slots, writer, logger, frontier } = this.#options;
    let errors = 0;
    while (!signal.aborted) {
      try {
        if (slots.free === 0) this.waits = `all ${slots.size} slots of a worker are taken by pages under way`;
        await slots.available(signal);
        if (!writer.healthy) {
          this.waits = 'MySQL is away: nothing is claimed until it is back';
          await sleep(500, signal);
          continue;
        }
        const worker = await identity.known(signal);
        const taken = slots.take(slots.size);
        if (taken === 0) continue;
        const claimed = await this.#claim(worker, taken);
        errors = 0;
        await this.#deal(claimed, worker, taken, signal);
      } catch (error) {
        if (signal.aborted) break;
        errors += 1;
        this.waits = `Redis: ${error instanceof Error ? error.message : String(error)}`;
        logger.warn({ err: error, site: frontier.site }, 'tasks could not be claimed; tried again');
        await sleep(errorBackoff(errors), signal).catch(() => undefined);
      }
    }
    await Promise.all(this.#running);
  }

  /** Asked with the same number again after an error, so that a lost reply loses no task. */
  async #claim(worker: string, limit: number): Promise<ClaimResult> {
    const { frontier, slots } = this.#options;
    try {
      const result = await frontier.leases.claim(worker, this.#request, limit);
      this.#request += 1;
      return result;
    } catch (error) {
      slots.give(limit);
      throw error;
    }
  }

  async #deal(result: ClaimResult, worker: string, taken: number, signal: AbortSignal): Promise<void> {
    const { slots, link, frontier, identity, clock, held } = this.#options;
    const got = result.kind === 'tasks' ? result.tasks.length : 0;
    slots.give(Math.max(0, taken - got));
    switch (result.kind) {
      case 'tasks':
        this.waits = undefined;
        clock.tell(result.redisNow);
        this.#startAll(held.add(frontier.site, worker, result.tasks, result.redisNow));
        return;
      case 'empty':
        this.waits = 'the queue is empty';
        link.send({ type: 'idle', site: frontier.site });
        await this.#sleepUntilWoken(EMPTY_WAIT_MS, signal);
        return;
      case 'wait':
        this.waits = `${result.reason}${result.detail === '' ? '' : ` (${result.detail})`}`;
        await this.#sleepUntilWoken(Math.min(result.waitMs, MAX_WAIT_MS), signal);
        return;
      case 'unregistered':
        this.waits = 'the worker was taken for dead and registers anew';
        identity.forget(worker);
        link.send({ type: 'unregistered', worker });
    }
  }

  #startAll(tasks: readonly HeldTask[]): void {
    // Looked up while the tasks wait for their places in the site's pace.
    const earlier = this.#options.earlierVisits(tasks);
    for (const task of tasks) this.#start(task, earlier);
  }

  #start(task: HeldTask, earlier: Promise<EarlierVisits>): void {
    const { runner, slots, logger, held } = this.#options;
    const run = runner
      .run(task, earlier)
      .catch((error: unknown) => {
        // Redis answered with an error: the task stays in flight, and goes back when nobody holds it any more.
        logger.error(
          { err: error, site: task.site, url: task.url },
          'a task could not be ended; it goes back to the queue',
        );
        held.remove([task]);
      })
      .finally(() => {
        slots.give(1);
        this.#running.delete(run);
      });
    this.#running.add(run);
  }

  async #sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    signal.addEventListener('abort', wake, { once: true });
    this.#wake = wake;
    await sleep(ms, woken.signal).catch(() => undefined);
    this.#wake = undefined;
    signal.removeEventListener('abort', wake);
  }
}
