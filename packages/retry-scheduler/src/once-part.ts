import { TransientDatabaseError } from '@dist-crawl/core/db';
import { UnavailableError } from '@dist-crawl/core/errors';
import { DEAD_AFTER_MS } from '@dist-crawl/core/frontier';
import { DeadlineError, sleep, withDeadline, type Part } from '@dist-crawl/core/runtime';
import { counted, type Job, type Report } from './jobs/job.js';
import type { RecoverJob } from './jobs/recover-job.js';
import { cronInterval } from './schedule/cron-interval.js';
import type { JobRunner } from './schedule/job-runner.js';

export interface OncePartOptions {
  /** The work; gives lines for the user. */
  readonly run: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly write: (text: string) => void;
  readonly onDone: () => void;
}

/** How long passing trouble of Redis or MySQL is waited for. */
export const ONCE_PATIENCE_MS = 30_000;

/** Runs something one time and ends the daemon: `--once`. Stopping early waits for the batch in hand. */
export class OncePart implements Part {
  readonly name = 'one run';
  readonly #options: OncePartOptions;
  readonly #stop = new AbortController();
  #work: Promise<void> | undefined;

  constructor(options: OncePartOptions) {
    this.#options = options;
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#stop.abort(signal.reason), { once: true });
    this.#work = this.#run();
    await this.#work;
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stop.abort(new Error('stopped before its end'));
    const work = this.#work;
    if (work === undefined) return;
    try {
      // How it ended was told by start.
      await withDeadline(deadlineMs, undefined, () => work.catch(() => undefined));
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
    }
  }

  async #run(): Promise<void> {
    const { run, write, onDone } = this.#options;
    try {
      const lines = await run(this.#stop.signal);
      write(lines.map((line) => `${line}\n`).join(''));
      onDone();
    } catch (error) {
      if (error instanceof TransientDatabaseError) throw new UnavailableError('MySQL', error.address, error.cause);
      throw error;
    }
  }
}

/** One run of a cron job for each site, whenever its last tick was. */
export async function runJobsOnce<R extends Report>(
  jobs: readonly Job<R>[],
  runner: JobRunner,
  cron: string,
  signal: AbortSignal,
): Promise<string[]> {
  const intervalMs = await cronInterval(cron);
  const lines: string[] = [];
  for (const job of jobs) {
    if (signal.aborted) break;
    const outcome = await runner.runNow(job, { signal, intervalMs, patienceMs: ONCE_PATIENCE_MS });
    const text =
      outcome.kind === 'ran'
        ? (job.describe(outcome.report) ?? 'nothing to do')
        : 'another scheduler is at it, not run';
    const rest = outcome.kind === 'ran' && !outcome.report.finished ? '; stopped before its end' : '';
    lines.push(`${job.frontier.site}: ${text}${rest}`);
  }
  return lines;
}

/** Watches heartbeats for as long as it takes to call a worker dead. */
export async function recoverOnce(jobs: readonly RecoverJob[], signal: AbortSignal): Promise<string[]> {
  const totals = new Map(jobs.map((job) => [job.frontier.site, { workers: 0, tasks: 0 }]));
  const end = performance.now() + DEAD_AFTER_MS + 2_000;
  while (performance.now() < end && !signal.aborted) {
    for (const job of jobs) {
      const total = totals.get(job.frontier.site);
      for (const { tasks } of await job.runOnce()) {
        if (total === undefined) continue;
        total.workers += 1;
        total.tasks += tasks;
      }
    }
    // Woken early only to see that it shall stop.
    await sleep(1_000, signal).catch(() => undefined);
  }
  return [...totals].map(
    ([site, { workers, tasks }]) =>
      `${site}: ${counted(workers, 'lost worker')}, ${counted(tasks, 'task')} back in the queue`,
  );
}
