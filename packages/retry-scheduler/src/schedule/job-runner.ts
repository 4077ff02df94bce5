import { acquireLock, withLock } from '@dist-crawl/core/lock';
import type { Logger } from '@dist-crawl/core/logging';
import type { RedisClient } from '@dist-crawl/core/redis';
import { backoff, retry } from '@dist-crawl/core/runtime';
import type { Job, Report } from '../jobs/job.js';
import { isPassing } from './passing-trouble.js';
import { createRunMemory, type LookBack } from './run-memory.js';

export type Outcome<R extends Report> =
  | { readonly kind: 'ran'; readonly report: R }
  /** A scheduler had this tick already. */
  | { readonly kind: 'had' }
  /** A scheduler runs the job at this moment. */
  | { readonly kind: 'busy' };

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Between two ticks. */
  readonly intervalMs: number;
  /** While Redis or MySQL have trouble that passes, a run is tried again for so long. */
  readonly patienceMs: number;
}

/**
 * Runs jobs so that any number of schedulers may do the same on the same site.
 *
 * - One run at a time: `lock:job:<name>`, renewed while the run goes on; the run is told to stop when the lock is lost.
 * - One run a tick: `lock:job:<name>:tick` stays for half an interval after a tick began, so that a scheduler whose clock is
 *   late does not repeat it. It runs out by Redis' clock; of its own clock a scheduler uses differences only.
 * - A scheduler that dies in mid run leaves the first lock to run out after 30 s, and the run to whoever starts next.
 */
export interface JobRunner {
  /** As cron wants it. */
  runTick<R extends Report>(job: Job<R>, options: RunOptions): Promise<Outcome<R>>;
  /** At once, whenever the last tick was: for operators, and for a run that was cut short. */
  runNow<R extends Report>(job: Job<R>, options: RunOptions): Promise<Outcome<R>>;
  lookBack<R extends Report>(job: Job<R>, intervalMs: number): Promise<LookBack>;
}

const retryDelay = backoff({ baseMs: 500, maxMs: 30_000 });

export function createJobRunner({ redis, logger }: { redis: RedisClient; logger: Logger }): JobRunner {
  const runner: JobRunner = {
    async runTick(job, options) {
      const { keys } = job.frontier;
      const tick = await acquireLock(redis, keys.jobLock(`${job.name}:tick`), Math.max(1, options.intervalMs / 2));
      return tick === null ? { kind: 'had' } : await runner.runNow(job, options);
    },
    async runNow(job, { signal, intervalMs, patienceMs }) {
      const { frontier, name } = job;
      const memory = createRunMemory(redis, frontier, name);
      const held = await withLock(
        redis,
        frontier.keys.jobLock(name),
        async (lockSignal) => {
          await memory.begun(intervalMs);
          const report = await retry(() => job.runOnce(lockSignal), {
            signal: lockSignal,
            backoff: retryDelay,
            deadlineMs: patienceMs,
            isRetryable: isPassing,
            onRetry: ({ error, delayMs }) => {
              const reason = error instanceof Error ? error.message : String(error);
              logger.warn(`${name} of ${frontier.site} goes on in ${Math.ceil(delayMs / 1000)} s: ${reason}`);
            },
          });
          if (report.finished) await memory.ended(intervalMs);
          return report;
        },
        { signal },
      );
      return held.ran ? { kind: 'ran', report: held.result } : { kind: 'busy' };
    },
    lookBack: (job, intervalMs) => createRunMemory(redis, job.frontier, job.name).lookBack(intervalMs),
  };
  return runner;
}
