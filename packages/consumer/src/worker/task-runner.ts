import type { Failure, Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { sleep } from '@dist-crawl/core/runtime';
import {
  isAway,
  type RobotsVerdict,
  type Validators,
  type Visit,
  type VisitedPage,
  type Visitor,
} from '@dist-crawl/page';
import type { CrawlDelays } from './crawl-delay.js';
import type { EarlierVisits } from './earlier-visits.js';
import type { AbortReason, HeldTask, HeldTasks } from './held-tasks.js';
import type { PrimaryLink } from './primary-link.js';
import type { RangeNote, RangePages } from './range-pages.js';
import type { RedisClock } from './redis-clock.js';
import type { Tallies } from './tallies.js';
import type { Writer } from './writer.js';

export interface TaskRunnerOptions {
  readonly frontier: Frontier;
  readonly visitor: Visitor;
  readonly ranges: RangePages;
  readonly rulesHash: Buffer;
  readonly crawlDelays: CrawlDelays;
  readonly writer: Writer;
  readonly link: PrimaryLink;
  readonly tallies: Tallies;
  readonly clock: RedisClock;
  readonly logger: Logger;
  /** NODE_TAG, on every row. */
  readonly node: string;
  /** For one page as a whole, from claim to its hand-over to the writer. */
  readonly taskDeadlineMs: number;
  readonly held: HeldTasks;
}

/** Pages of no kind of their own in the site file. */
const DEFAULT_KIND = 'page';

/** Takes one task from claim to its end: visit the page, then hand it to the writer, or fail, throttle or release it. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /** Never rejects for what a page does; a reply of Redis that is an error is thrown. */
  async run(task: HeldTask, earlier: Promise<EarlierVisits>): Promise<void> {
    const { held, taskDeadlineMs } = this.#options;
    const timer = setTimeout(() => held.abort('deadline', ({ token }) => token === task.token), taskDeadlineMs);
    let visit: Visit;
    try {
      // The slot of the site's pace: nothing is asked for before it.
      await sleep(task.delayMs, task.signal);
      held.started(task);
      visit = await this.#visit(task, (await earlier).get(task.url));
    } catch (error) {
      if (!task.signal.aborted) throw error;
      return this.#aborted(task, task.signal.reason as AbortReason);
    } finally {
      clearTimeout(timer);
    }
    return this.#settle(task, visit);
  }

  async #visit(task: HeldTask, validators: Validators | undefined): Promise<Visit> {
    const { visitor, link, crawlDelays, held } = this.#options;
    const page = { site: task.site, url: task.url };
    let parsing = false;
    const onParse = (): void => {
      parsing = true;
      link.send({ type: 'parsing', ...page });
    };
    const onRobots = async (verdict: RobotsVerdict): Promise<void> => {
      if ((await crawlDelays(task, verdict)) === 'too-soon')
        held.abort('too-soon', ({ token }) => token === task.token);
    };
    const depth = task.record.depth ?? 0;
    try {
      return await visitor.visit(task.url, { signal: task.signal, onParse, onRobots, depth, validators });
    } finally {
      if (parsing) link.send({ type: 'parsed', ...page });
    }
  }

  async #aborted(task: HeldTask, reason: AbortReason): Promise<void> {
    switch (reason) {
      case 'lost':
        this.#options.tallies.lost(1);
        return this.#options.held.remove([task]);
      case 'stopped':
      case 'too-soon':
        return this.#release(task, 'next', 0);
      case 'deadline': {
        const seconds = this.#options.taskDeadlineMs / 1000;
        return this.#fail(task, { kind: 'deadline', message: `not finished within ${seconds} s` });
      }
    }
  }

  async #settle(task: HeldTask, visit: Visit): Promise<void> {
    const { writer, node, clock, tallies, logger, ranges } = this.#options;
    const judged = await ranges.judge(task, visit);
    if (judged.kind === 'again') return this.#release(task, 'last', judged.afterMs);
    if (judged.kind === 'beyond') {
      logger.debug({ site: task.site, url: task.url }, `${judged.outcome}: ${judged.message}`);
      return this.#save(task, visit, { outcome: judged.outcome, goods: [], follow: [] });
    }
    if (visit.outcome === 'ok') {
      tallies.unreadablePrices(visit.unreadablePrices);
      return this.#save(task, visit, { ...visit, note: judged.note });
    }
    if (visit.outcome === 'unchanged') {
      logger.debug({ site: task.site, url: task.url, status: visit.status }, 'page, not changed');
      const page = { site: task.site, url: task.url, node, crawlTime: clock.now() };
      const finalUrl = visit.finalUrl === task.url ? undefined : visit.finalUrl;
      return writer.add({ kind: 'unchanged', task, page, finalUrl });
    }
    const { outcome, verdict, message, status } = visit;
    switch (verdict) {
      case 'dead': {
        tallies.failed(outcome);
        logger.warn({ site: task.site, url: task.url, kind: outcome, status }, `dead: ${message}`);
        const now = clock.now();
        const firstFailure = task.record.first === undefined ? now : new Date(task.record.first);
        const failures = (task.record.failures ?? 0) + 1;
        const story = {
          kind: outcome,
          lastError: message,
          status: status ?? null,
          failures,
          firstFailure,
          lastFailure: now,
        };
        return writer.add({ kind: 'dead', task, dead: { site: task.site, url: task.url, node, ...story } });
      }
      case 'throttled':
        return this.#throttle(task, message, status ?? 0, visit.retryAfterMs);
      case 'defer':
        return this.#defer(task, { kind: outcome, message, status, waitMs: visit.retryAfterMs });
      case 'retry':
        return this.#fail(task, { kind: outcome, message, status, away: isAway(outcome) });
    }
  }

  async #save(
    task: HeldTask,
    visit: Visit,
    {
      outcome,
      goods,
      follow,
      note,
    }: Pick<VisitedPage, 'goods' | 'follow'> & { outcome: string; note?: RangeNote | undefined },
  ): Promise<void> {
    const { writer, node, clock, logger, rulesHash } = this.#options;
    const { status = 0, bytes = 0, contentHash = null, etag = null, lastModified = null, kind } = visit;
    const finalUrl = visit.finalUrl === task.url ? undefined : visit.finalUrl;
    const page = {
      site: task.site,
      url: task.url,
      finalUrl: finalUrl ?? null,
      kind: kind ?? DEFAULT_KIND,
      outcome,
      status,
      bytes,
      contentHash,
      etag,
      lastModified,
      rulesHash,
      crawlTime: clock.now(),
      node,
      goods,
    };
    logger.debug({ site: task.site, url: task.url, status, bytes, rows: goods.length }, 'page');
    return writer.add({ kind: 'page', task, page, finalUrl, follow, note });
  }

  async #fail(task: HeldTask, failure: Omit<Failure, 'node'>): Promise<void> {
    const { frontier, tallies, logger, node, held } = this.#options;
    const { kind, message, status } = failure;
    const result = await frontier.leases.fail(task.worker, task, { ...failure, node });
    if (result.status === 'lost') tallies.lost(1);
    else tallies.failed(kind);
    logger.info({ site: task.site, url: task.url, kind, status, failures: result.failures }, `failed: ${message}`);
    if (result.held !== null) {
      const end = `\`crawl resume ${task.site}\` goes on`;
      logger.error({ site: task.site, kind }, `${task.site} is held: ${result.held} ${end}`);
    }
    if (result.pausedMs > 0) {
      const seconds = Math.ceil(result.pausedMs / 1000);
      logger.warn(
        { site: task.site, kind, pausedMs: result.pausedMs },
        `${task.site} does not answer: it pauses for ${seconds} s`,
      );
    }
    held.remove([task]);
  }

  async #defer(
    task: HeldTask,
    failure: { kind: string; message: string; status: number | undefined; waitMs: number | undefined },
  ): Promise<void> {
    const { frontier, tallies, logger, node, held } = this.#options;
    const { kind, message } = failure;
    const result = await frontier.leases.defer(task.worker, task, { ...failure, node });
    if (result.status === 'lost') tallies.lost(1);
    else tallies.failed(kind);
    const fields = { site: task.site, url: task.url, kind, ...result };
    if (result.status === 'deferred')
      logger.warn(fields, `put off for ${Math.round(result.waitMs / 1000)} s: ${message}`);
    else logger.info(fields, `failed, after a day of being put off: ${message}`);
    held.remove([task]);
  }

  async #throttle(task: HeldTask, message: string, status: number, retryAfterMs: number | undefined): Promise<void> {
    const { frontier, tallies, logger, node, held } = this.#options;
    const result = await frontier.leases.throttle(task.worker, task, { message, status, node, retryAfterMs });
    if (result.status === 'lost') tallies.lost(1);
    else tallies.failed('throttled');
    const seconds = (result.pausedMs / 1000).toFixed(1);
    logger.warn(
      { site: task.site, url: task.url, status, pausedMs: result.pausedMs },
      `${message}: the site pauses for ${seconds} s`,
    );
    held.remove([task]);
  }

  async #release(task: HeldTask, end: 'next' | 'last', notBeforeMs: number): Promise<void> {
    const { frontier, held } = this.#options;
    await frontier.leases.release(task.worker, [task], { end, notBeforeMs });
    held.remove([task]);
  }
}
