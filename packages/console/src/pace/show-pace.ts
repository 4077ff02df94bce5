import type { PaceNow } from '@dist-crawl/core/frontier';
import { showCount, showDuration, showRate } from '../terminal/figures.js';

/** Slower than this, the time between two pages says more than a rate. */
const SLOW_PER_SECOND = 0.1;

const SOURCES = {
  'site-file': '',
  hand: ', set by `crawl pace`',
  'crawl-delay': ', as the Crawl-delay of robots.txt asks for',
} as const;

/** The pace that holds, and what made it so where that is not the site file. */
export function showPace({ ratePerSecond, concurrency, rateFrom }: PaceNow): string {
  return `${showPaceRate(ratePerSecond)}${SOURCES[rateFrom]}; ${showCount(concurrency)} at once`;
}

function showPaceRate(ratePerSecond: number | null): string {
  if (ratePerSecond === null) return 'no limit';
  if (ratePerSecond < SLOW_PER_SECOND)
    return `a page every ${showDuration(1000 / ratePerSecond)} for all nodes together`;
  return `${showRate(ratePerSecond)} pages/s for all nodes together`;
}
