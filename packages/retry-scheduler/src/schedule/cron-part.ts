import type { Logger } from '@dist-crawl/core/logging';
import { DeadlineError, withDeadline, type Part } from '@dist-crawl/core/runtime';
import { createTask, type ScheduledTask } from 'node-cron';
import type { Job, Report } from '../jobs/job.js';
import { intervalOf } from './cron-interval.js';
import { cronLogger } from './cron-logger.js';
import type { JobRunner, Outcome, RunOptions } from './job-runner.js';
import { isPassing } from './passing-trouble.js';

export interface CronPartOptions<R extends Report> {
  /** One for each site; they run one after the other, so that a tick needs one connection to MySQL however many sites. */
  readonly jobs: readonly Job<R>[];
  /** In the time zone of the machine. */
  readonly cron: string;
  readonly runner: JobRunner;
  readonly logger: Logger;
}

/**
 * Calls the jobs of one kind when cron says so. When it starts it runs those at once whose last run was cut short, or whose
 * last tick no scheduler was there for; no others, so that restarts in a row do not use up the tries of failed URLs. A
 * job that fails is told in the log, and the next tick goes on. Stopping waits for the batch in hand.
 */
export class CronPart<R extends Report> implements Part {
  readonly name: string;
  readonly #options: CronPartOptions<R>;
  readonly #task: ScheduledTask;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #started = false;

  constructor(name: string, options: CronPartOptions<R>) {
    this.name = `${name} job`;
    this.#options = options;
    const logger = cronLogger(options.logger, this.name);
    this.#task = createTask(options.cron, () => this.#track(this.#tick()), { name, noOverlap: true, logger });
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#started || this.#stop.signal.aborted) return;
    this.#started = true;
    const stop = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    await this.#task.start();
    const { cron, logger } = this.#options;
    logger.info({ cron }, `${this.name}: next at ${this.#task.getNextRun()?.toISOString() ?? 'no time'}`);
    // Not waited for: it may take long, and the daemon is ready before. It never rejects.
    void this.#track(this.#catchUp());
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort(new Error(`${this.name} stops`));
    await this.#task.destroy();
    try {
      await withDeadline(deadlineMs, undefined, async () => {
        await Promise.all(this.#running);
      });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      this.#options.logger.warn(`${this.name}: the batch in hand was not finished in time; the next run takes it up`);
    }
  }

  async #tick(): Promise<void> {
    await this.#each((job, options) => this.#options.runner.runTick(job, options));
  }

  async #catchUp(): Promise<void> {
    const { runner, logger } = this.#options;
    await this.#each(async (job, options) => {
      const before = await runner.lookBack(job, options.intervalMs);
      if (before === 'in time') return { kind: 'had' };
      const why = before === 'missed' ? 'a tick was missed' : 'its last run was cut short';
      logger.info(`${this.#titleOf(job)} runs now: ${why}`);
      return before === 'missed' ? runner.runTick(job, options) : runner.runNow(job, options);
    });
  }

  async #each(run: (job: Job<R>, options: RunOptions) => Promise<Outcome<R>>): Promise<void> {
    const { signal } = this.#stop;
    const intervalMs = intervalOf(this.#task);
    for (const job of this.#options.jobs) {
      if (signal.aborted) return;
      try {
        this.#tell(job, await run(job, { signal, intervalMs, patienceMs: intervalMs / 2 }));
      } catch (error) {
        if (signal.aborted) return;
        this.#tellError(job, error);
      }
    }
  }

  #tell(job: Job<R>, outcome: Outcome<R>): void {
    const { logger } = this.#options;
    const title = this.#titleOf(job);
    switch (outcome.kind) {
      case 'ran': {
        const text = job.describe(outcome.report) ?? 'nothing to do';
        const rest = outcome.report.finished ? '' : '; stopped before its end, the next run goes on';
        const fields: object = { site: job.frontier.site, ...outcome.report };
        logger[job.isGrave?.(outcome.report) === true ? 'warn' : 'info'](fields, `${title}: ${text}${rest}`);
        return;
      }
      case 'had':
        logger.debug(`${title}: not due, or another scheduler ran it`);
        return;
      case 'busy':
        logger.info(`${title}: another scheduler is at it`);
    }
  }

  #tellError(job: Job<R>, error: unknown): void {
    const { logger } = this.#options;
    const { site } = job.frontier;
    if (isPassing(error)) {
      logger.warn({ site }, `${this.#titleOf(job)} waits for the next tick: ${String(error)}`);
    } else {
      logger.error({ err: error, site }, `${this.#titleOf(job)} failed; it is run again at the next tick`);
    }
  }

  #titleOf(job: Job<R>): string {
    return `${job.name} of ${job.frontier.site}`;
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    try {
      await work;
    } finally {
      this.#running.delete(work);
    }
  }
}
