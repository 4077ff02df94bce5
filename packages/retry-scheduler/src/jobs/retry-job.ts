import { saveDead, withdrawDead, type Database } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { deadLetter } from './dead-letter.js';
import { counted, type Job, type Report } from './job.js';

/** URLs that one script and one transaction take. */
export const RETRY_BATCH = 500;

export interface RetryReport extends Report {
  /** Given up: failed too often. */
  readonly dead: number;
  /** Of these, by the kind of their last failure. */
  readonly deadByKind: Readonly<Record<string, number>>;
  /** Back in the queue. */
  readonly requeued: number;
  /** Only taken off the list of failures: done meanwhile. */
  readonly dropped: number;
}

export interface RetryJobOptions {
  readonly frontier: Frontier;
  readonly database: Database;
  /** Failures after which a URL is given up. */
  readonly maxFailures: number;
  readonly logger: Logger;
}

/** Another try for what failed, and the end for what failed too often. */
export function createRetryJob(options: RetryJobOptions): Job<RetryReport> {
  return {
    name: 'retry',
    frontier: options.frontier,
    async runOnce(signal) {
      const deadByKind = await buryExhausted(options, signal);
      const dead = Object.values(deadByKind).reduce((sum, count) => sum + count, 0);
      const { requeued, dropped } = await requeueFailed(options, signal);
      return { dead, deadByKind, requeued, dropped, finished: !signal.aborted };
    },
    isGrave: ({ dead }) => dead > 0,
    describe({ dead, deadByKind, requeued, dropped }) {
      const kinds = Object.entries(deadByKind).map(([kind, count]) => `${kind} ${count}`);
      const parts = [
        ...(requeued > 0 ? [`${counted(requeued, 'failed URL')} back in the queue`] : []),
        ...(dead > 0
          ? [`${counted(dead, 'URL')} given up after ${counted(options.maxFailures, 'failure')} (${kinds.join(', ')})`]
          : []),
        ...(dropped > 0 ? [`${counted(dropped, 'URL')} done meanwhile`] : []),
      ];
      return parts.length === 0 ? null : parts.join(', ');
    },
  };
}

/**
 * failed → dead. The dead letters are committed before Redis lets go of the URLs: after a crash between the two the same
 * URLs come again, and saving their letters again changes nothing.
 */
async function buryExhausted(options: RetryJobOptions, signal: AbortSignal): Promise<Record<string, number>> {
  const { frontier, database, maxFailures, logger } = options;
  const dead: Record<string, number> = {};
  while (!signal.aborted) {
    const batch = await frontier.retries.exhausted(maxFailures, RETRY_BATCH);
    if (batch.length === 0) break;
    const { now } = await frontier.census();
    const letters = batch.map((failed) => deadLetter(frontier.site, failed, now));
    await saveDead(database, letters);
    const outcomes = await frontier.retries.buryFailed(
      batch.map(({ url }) => url),
      maxFailures,
    );
    // Somebody gave it another chance between the two steps: it lives, and its letter would be false.
    const alive = letters.filter((_, index) => outcomes[index] === 'spared');
    if (alive.length > 0) await withdrawDead(database, alive);
    for (const [index, { url, kind, lastError }] of letters.entries()) {
      if (outcomes[index] !== 'buried') continue;
      dead[kind] = (dead[kind] ?? 0) + 1;
      logger.debug({ url, kind }, `given up: ${url}: ${kind}: ${lastError}`);
    }
  }
  return dead;
}

/**
 * failed → waiting. No more than had failed when it began: what workers fail meanwhile waits for the next tick, else one
 * run could go round for ever on a site that is down.
 */
async function requeueFailed(
  { frontier, maxFailures }: RetryJobOptions,
  signal: AbortSignal,
): Promise<{ requeued: number; dropped: number }> {
  let requeued = 0;
  let dropped = 0;
  let left = await frontier.retries.countFailed();
  while (left > 0 && !signal.aborted) {
    const { taken, queued } = await frontier.retries.requeue(maxFailures, Math.min(RETRY_BATCH, left));
    if (taken === 0) break;
    left -= taken;
    requeued += queued;
    dropped += taken - queued;
  }
  return { requeued, dropped };
}
