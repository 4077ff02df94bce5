import type { Reserve } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { sleep } from '@dist-crawl/core/runtime';
import type { Site } from '@dist-crawl/core/sites';
import { persist } from './trouble.js';

const LONGEST_WAIT_MS = 5000;
/** A site that is paused for hours says so now and then. */
const TELL_EVERY_MS = 60_000;

/** Waits for the next place in the pace that all nodes keep together; while the site is paused there is none. */
export function sharedPace(reserve: Reserve, logger: Logger): (signal: AbortSignal) => Promise<void> {
  let told = -Infinity;
  return async (signal) => {
    for (;;) {
      const place = await persist(reserve, { signal, logger });
      if (place.kind === 'go') return sleep(place.delayMs, signal);
      if (place.reason !== 'pace' && performance.now() - told > TELL_EVERY_MS) {
        told = performance.now();
        logger.info(`waits: the site is paused (${place.reason})`);
      }
      await sleep(Math.min(place.waitMs, LONGEST_WAIT_MS), signal);
    }
  };
}

/** The site's pace, kept by this process alone: for a dry run, which asks no server. */
export function ownPace({ pace }: Site): (signal: AbortSignal) => Promise<void> {
  const intervalMs = pace.ratePerSecond === null ? 0 : 1000 / pace.ratePerSecond;
  let next = performance.now();
  return async (signal) => {
    const waitMs = next - performance.now();
    next = Math.max(next, performance.now()) + intervalMs;
    if (waitMs > 0) await sleep(waitMs, signal);
  };
}
