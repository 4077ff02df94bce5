import {
  markRepeated,
  saveDead,
  savePages,
  saveUnchanged,
  TransientDatabaseError,
  type Database,
} from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { backoff, retry, sleep, type Part } from '@dist-crawl/core/runtime';
import { groups, isLost, type Finished } from './finished.js';
import type { FollowLinks } from './follow-links.js';
import type { HeldTask } from './held-tasks.js';
import { findRepeated } from './range-pages.js';
import type { Tallies } from './tallies.js';

export interface WriterOptions {
  readonly database: Database;
  readonly frontiers: ReadonlyMap<string, Frontier>;
  readonly logger: Logger;
  readonly tallies: Tallies;
  readonly followLinks: FollowLinks;
  /** Told of tasks that came to an end, in whatever way. */
  readonly onEnded: (tasks: readonly HeldTask[]) => void;
  /** What waits to be written at most; beyond it `add` makes its caller wait. */
  readonly capacity: number;
}

const MAX_BATCH_PAGES = 64;
const MAX_BATCH_ROWS = 4_000;
/** A batch gathers for so long while the last one is not on its way. */
const LINGER_MS = 20;

/**
 * Group commit: what comes in while one batch is written makes up the next one. Order of things: rows committed in MySQL,
 * then links queued, then the task done in Redis; a crash in between leaves the task in flight, to be crawled again.
 * While MySQL or Redis is away the batch waits here and is tried for ever; the queue is bounded, so claiming stops.
 */
export class Writer implements Part {
  readonly name = 'writer';
  readonly #options: WriterOptions;
  readonly #queue: Finished[] = [];
  readonly #giveUp = new AbortController();
  #stopping = false;
  #wake: (() => void) | undefined;
  #room: (() => void)[] = [];
  #loop: Promise<void> | undefined;
  #troubled = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** False while MySQL is away: claim nothing then. */
  get healthy(): boolean {
    return !this.#troubled;
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
        await this.#write(batch);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.logger.error(
          { err: error, tasks: batch.length },
          'a batch could not be written; its tasks go back',
        );
        await this.#giveBack(batch);
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

  async #write(batch: readonly Finished[]): Promise<void> {
    const pages = batch.filter((item) => item.kind === 'page');
    const unchanged = batch.filter((item) => item.kind === 'unchanged');
    const dead = batch.filter((item) => item.kind === 'dead');
    if (pages.length > 0) await this.#writePages(pages);
    if (unchanged.length > 0) await this.#writeUnchanged(unchanged);
    if (dead.length > 0) await this.#writeDead(dead);
  }

  async #writePages(items: readonly Extract<Finished, { kind: 'page' }>[]): Promise<void> {
    const { database, tallies } = this.#options;
    const saved = await this.#untilMysqlAnswers(() =>
      savePages(
        database,
        items.map(({ page }) => page),
      ),
    );
    for (const row of saved.rejected) {
      this.#options.logger.warn(
        { site: row.site, url: row.pageUrl, reason: row.reason },
        'MySQL refused a row; it is set aside',
      );
    }
    const refused = new Map(saved.rejectedPages.map(({ site, url, reason }) => [`${site} ${url}`, reason]));
    const kept = items.filter(({ task }) => !refused.has(`${task.site} ${task.url}`));
    for (const { task, page } of items) {
      const reason = refused.get(`${task.site} ${task.url}`);
      if (reason !== undefined) await this.#failRefused(task, page.node, reason);
    }
    const rows = kept.reduce((sum, { page }) => sum + page.goods.length, 0);
    tallies.saved(kept.length, rows - saved.rejected.length, saved.rejected.length);
    for (const group of groups(kept)) {
      const { frontier, worker } = this.#of(group[0]);
      const repeated = await this.#untilRedisAnswers(() => findRepeated(frontier, group));
      await this.#untilMysqlAnswers(() => markRepeated(database, frontier.site, repeated.marked));
      await this.#untilRedisAnswers(() => this.#options.followLinks(frontier, group));
      const completions = group.map(({ task, finalUrl, page }) => {
        return { ...task, finalUrl, rows: repeated.own.has(task.url) ? 0 : page.goods.length };
      });
      const outcomes = await this.#untilRedisAnswers(() => frontier.leases.complete(worker, completions));
      this.#ended(group, outcomes);
    }
  }

  async #writeUnchanged(items: readonly Extract<Finished, { kind: 'unchanged' }>[]): Promise<void> {
    const { database, tallies } = this.#options;
    await this.#untilMysqlAnswers(() =>
      saveUnchanged(
        database,
        items.map(({ page }) => page),
      ),
    );
    tallies.unchanged(items.length);
    for (const group of groups(items)) {
      const { frontier, worker } = this.#of(group[0]);
      const completions = group.map(({ task, finalUrl }) => ({ ...task, finalUrl, rows: 0 }));
      const outcomes = await this.#untilRedisAnswers(() => frontier.leases.complete(worker, completions));
      this.#ended(group, outcomes);
    }
  }

  async #writeDead(items: readonly Extract<Finished, { kind: 'dead' }>[]): Promise<void> {
    await this.#untilMysqlAnswers(() =>
      saveDead(
        this.#options.database,
        items.map(({ dead }) => dead),
      ),
    );
    for (const group of groups(items)) {
      const { frontier, worker } = this.#of(group[0]);
      const outcomes = await this.#untilRedisAnswers(() =>
        frontier.leases.bury(
          worker,
          group.map(({ task }) => task),
        ),
      );
      this.#ended(group, outcomes);
    }
  }

  async #failRefused(task: HeldTask, node: string, reason: string): Promise<void> {
    const { frontier, worker } = this.#of({ task });
    const failure = { kind: 'not-saved', message: `MySQL refused the page's record: ${reason}`, node };
    await this.#untilRedisAnswers(() => frontier.leases.fail(worker, task, failure));
    this.#options.tallies.failed(failure.kind);
    this.#options.onEnded([task]);
  }

  #ended(group: readonly { readonly task: HeldTask }[], outcomes: readonly string[]): void {
    this.#options.tallies.lost(outcomes.filter((outcome) => outcome === 'lost').length);
    this.#options.onEnded(group.map(({ task }) => task));
  }

  /** Nobody may be sure of these any more: back to the queue, at once. */
  async #giveBack(batch: readonly Finished[]): Promise<void> {
    for (const group of groups(batch)) {
      const { frontier, worker } = this.#of(group[0]);
      await this.#untilRedisAnswers(() =>
        frontier.leases.release(
          worker,
          group.map(({ task }) => task),
          { end: 'last', notBeforeMs: 5_000 },
        ),
      );
    }
    this.#options.onEnded(batch.map(({ task }) => task));
  }

  #of({ task }: { readonly task: HeldTask }): { frontier: Frontier; worker: string } {
    const frontier = this.#options.frontiers.get(task.site);
    if (frontier === undefined) throw new Error(`no frontier of site ${task.site}`);
    return { frontier, worker: task.worker };
  }

  async #untilMysqlAnswers<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#untilAnswer('MySQL', work, (error) => error instanceof TransientDatabaseError);
    } finally {
      this.#troubled = false;
    }
  }

  #untilRedisAnswers<T>(work: () => Promise<T>): Promise<T> {
    return this.#untilAnswer('Redis', work, () => true);
  }

  #untilAnswer<T>(service: string, work: () => Promise<T>, isRetryable: (error: unknown) => boolean): Promise<T> {
    return retry(work, {
      signal: this.#giveUp.signal,
      backoff: writeBackoff,
      isRetryable,
      onRetry: ({ error, delayMs }) => {
        if (service === 'MySQL') this.#troubled = true;
        this.#options.logger.warn(
          { err: error, waiting: this.#queue.length },
          `${service} does not take what is to be written; tried again in ${delayMs} ms`,
        );
      },
    });
  }
}

const writeBackoff = backoff({ baseMs: 200, maxMs: 5_000 });
