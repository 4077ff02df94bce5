import { SIGN_EVERY_MS, type Frontier, type SchedulerSign } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { Ticker } from '@dist-crawl/core/runtime';
import { unlessAborted } from './unless-aborted.js';

export interface SignPartOptions {
  readonly frontiers: readonly Frontier[];
  readonly sign: SchedulerSign;
  readonly logger: Logger;
}

/** Shows in each site's keys that a scheduler is at work. */
export function createSignPart({ frontiers, sign, logger }: SignPartOptions): Ticker {
  const signAll = async (): Promise<void> => {
    await Promise.all(frontiers.map(({ schedulers }) => schedulers.give(sign)));
  };
  return new Ticker('sign of life', {
    everyMs: SIGN_EVERY_MS,
    run: (signal) => unlessAborted(signAll(), signal),
    onError: (error) => logger.debug({ err: error }, 'the sign of life waits for Redis'),
  });
}
