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
import { backoff, retry } from '@dist-crawl/core/runtime';
import { groups, type Finished } from './finished.js';
import type { FollowLinks } from './follow-links.js';
import type { HeldTask } from './held-tasks.js';
import { findRepeated } from './range-pages.js';
import type { Tallies } from './tallies.js';

export interface BatchSaverOptions {
  readonly database: Database;
  readonly frontiers: ReadonlyMap<string, Frontier>;
  readonly logger: Logger;
  readonly tallies: Tallies;
  readonly followLinks: FollowLinks;
  /** Told of tasks that came to an end, in whatever way. */
  readonly onEnded: (tasks: readonly HeldTask[]) => void;
  /** Aborted: nothing is tried again any more. */
  readonly signal: AbortSignal;
  /** How many tasks wait behind the batch in hand, for the log. */
  readonly waiting: () => number;
}

/**
 * Saves finished tasks. Order of things: rows committed in MySQL, then links queued, then the task done in Redis; a crash in
 * between leaves the task in flight, to be crawled again. While MySQL or Redis is away it is tried for ever.
 */
export class BatchSaver {
  readonly #options: BatchSaverOptions;
  #troubled = false;

  constructor(options: BatchSaverOptions) {
    this.#options = options;
  }

  /** False while MySQL is away. */
  get healthy(): boolean {
    return !this.#troubled;
  }

  /** Rejects where a server refuses what it is asked for; while it is away, it waits. */
  async save(batch: readonly Finished[]): Promise<void> {
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
  async giveBack(batch: readonly Finished[]): Promise<void> {
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
      signal: this.#options.signal,
      backoff: writeBackoff,
      isRetryable,
      onRetry: ({ error, delayMs }) => {
        if (service === 'MySQL') this.#troubled = true;
        this.#options.logger.warn(
          { err: error, waiting: this.#options.waiting() },
          `${service} does not take what is to be written; tried again in ${delayMs} ms`,
        );
      },
    });
  }
}

const writeBackoff = backoff({ baseMs: 200, maxMs: 5_000 });
