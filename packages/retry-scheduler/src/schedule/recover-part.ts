import type { Logger } from '@dist-crawl/core/logging';
import { Ticker } from '@dist-crawl/core/runtime';
import type { RecoverJob } from '../jobs/recover-job.js';
import { unlessAborted } from './unless-aborted.js';

export interface RecoverPartOptions {
  readonly jobs: readonly RecoverJob[];
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Looks for lost nodes again and again. Stopping waits for nothing: what a script began, Redis ends. */
export function createRecoverPart({ jobs, everyMs, logger }: RecoverPartOptions): Ticker {
  return new Ticker('recover job', {
    everyMs,
    run: (signal) => unlessAborted(Promise.allSettled(jobs.map((job) => job.runOnce())).then(throwFirst), signal),
    onError: (error) => logger.error({ err: error }, 'recover job failed; it looks again in a moment'),
  });
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
