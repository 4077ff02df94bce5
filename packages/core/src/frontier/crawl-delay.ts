import type { ScriptRunner } from '../redis/index.js';
import * as scripts from './scripts.js';

/** A longer Crawl-delay counts as this: one that asks for an hour a page would mean that the site is not crawled at all. */
export const MAX_CRAWL_DELAY_MS = 300_000;

/**
 * Tells the site's pace what the robots.txt of one of its hosts asks for; null: nothing. `slower` is told to one caller;
 * `since` is when the site last became slower by it (ms of Redis' clock): tasks claimed before were given out too fast.
 */
export type ReportCrawlDelay = (
  origin: string,
  delaySeconds: number | null,
) => Promise<{ readonly kind: 'slower' | 'faster' | 'same'; readonly since: number }>;

export function createReportCrawlDelay(runner: ScriptRunner): ReportCrawlDelay {
  return async (origin, delaySeconds) => {
    const delay_ms = Math.min(MAX_CRAWL_DELAY_MS, Math.max(0, Math.round((delaySeconds ?? 0) * 1000)));
    const [kind, since] = await runner.run(scripts.crawlDelay, { args: { origin, delay_ms } });
    return { kind, since };
  };
}
