import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import type { RobotsVerdict } from '@dist-crawl/page';
import type { HeldTask } from './held-tasks.js';

/**
 * Tells the site's pace what robots.txt asks for, each time that this process learns something new of a host. `too-soon`: the
 * task was claimed at a faster pace than is known now, and is to be given back.
 */
export type CrawlDelays = (task: HeldTask, verdict: RobotsVerdict) => Promise<'go' | 'too-soon'>;

/** Told again after so long, should Redis have lost it. */
const TELL_AGAIN_MS = 60_000;

export function createCrawlDelays(frontier: Frontier, logger: Logger): CrawlDelays {
  const told = new Map<string, { readonly seconds: number | null; readonly at: number }>();
  let slowerSince = 0;
  return async (task, { crawlDelaySeconds: seconds }) => {
    const { origin } = new URL(task.url);
    const last = told.get(origin);
    if (last?.seconds !== seconds || performance.now() - last.at > TELL_AGAIN_MS) {
      // Most sites ask for nothing, which is what Redis takes for granted.
      if (seconds === null && last === undefined) return 'go';
      const { kind, since } = await frontier.reportCrawlDelay(origin, seconds);
      told.set(origin, { seconds, at: performance.now() });
      slowerSince = Math.max(slowerSince, since);
      if (kind !== 'same') {
        logger.info(
          { site: task.site, origin, seconds, kind },
          `robots.txt of ${origin} makes the site's pace ${kind}`,
        );
      }
      if (kind === 'slower') return 'go'; // the first page, from which the delay is counted
    }
    return task.claimedAt < slowerSince ? 'too-soon' : 'go';
  };
}
