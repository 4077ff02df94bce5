import type { RangePage, Ranges } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { sleep } from '@dist-crawl/core/runtime';
import type { Candidate } from './sources/source.js';
import type { Tally } from './tally.js';
import { persist } from './trouble.js';

export interface RangeEndOptions {
  readonly ranges: Pick<Ranges, 'look'>;
  /** Pages in a row beyond the end after which the range ends. */
  readonly inARow: number;
  /** Ends noted before this time, by Redis in ms, do not count. */
  readonly since: number;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** List pages that wait to be crawled at most: so many are crawled in vain beyond the end. */
const AHEAD = 100;
/** How many pages are queued between two looks, and so at once. */
export const LOOK_EVERY = 25;
const WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/**
 * The candidates of a page range until its end: keeps some way ahead of the crawl, and ends when the pages that come
 * last are missing, empty, or repeat an earlier one.
 */
export async function* untilEnd(
  candidates: AsyncIterable<Candidate>,
  options: RangeEndOptions,
): AsyncGenerator<Candidate> {
  const recent: RangePage[] = [];
  let unseen = 0;
  for await (const candidate of candidates) {
    if (unseen >= LOOK_EVERY) {
      if (await isOver(recent, options)) return;
      unseen = 0;
    }
    yield candidate;
    const { page, url } = candidate;
    if (page === undefined || url === undefined) continue;
    recent.push({ page, url });
    if (recent.length > AHEAD + LOOK_EVERY + options.inARow) recent.shift();
    unseen += 1;
  }
}

/** Waits until few of the pages are still to be crawled, or enough of them lie beyond the end. */
async function isOver(recent: readonly RangePage[], options: RangeEndOptions): Promise<boolean> {
  const { ranges, inARow, since, tally, signal, logger } = options;
  for (let waitMs = WAIT_MS; ; waitMs = Math.min(1.5 * waitMs, LONGEST_WAIT_MS)) {
    const states = await persist(() => ranges.look(recent, since), { signal, logger });
    const end = firstRun(states, inARow);
    const settled = states.indexOf('waits') === -1 ? states.length : states.indexOf('waits');
    if (end !== null && end <= settled) {
      tally.ended = { from: recent[end]?.page ?? 0, inARow };
      return true;
    }
    // Pages before a run of ends may still show that it is none: nothing is queued before they do.
    if (end === null && states.filter((state) => state === 'waits').length < AHEAD) break;
    tally.waitsFor = 'list pages to be crawled (--until-empty)';
    await sleep(waitMs, signal);
  }
  tally.waitsFor = undefined;
  return false;
}

/** Where the first `length` ends in a row begin. */
function firstRun(states: readonly string[], length: number): number | null {
  let row = 0;
  for (const [index, state] of states.entries()) {
    row = state === 'end' ? row + 1 : 0;
    if (row === length) return index - length + 1;
  }
  return null;
}
