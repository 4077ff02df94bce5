import type { EnqueueOptions, Intake } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { sleep } from '@dist-crawl/core/runtime';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { Tally } from './tally.js';
import { persist } from './trouble.js';

/** Which of the URLs MySQL alone knows as done. */
export type ArchiveLookup = (urls: readonly CanonicalUrl[], signal: AbortSignal) => Promise<ReadonlySet<string>>;

export interface SubmitOptions extends Required<Pick<EnqueueOptions, 'fresh' | 'highWater'>> {
  readonly intake: Pick<Intake, 'enqueue'>;
  /** Absent: archived URLs are queued like unknown ones. */
  readonly archived: ArchiveLookup | undefined;
  /** See EnqueueOptions. */
  readonly mayEnd?: number | undefined;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Between two looks at a full queue: the first while it moves, the second when it long has not. */
const SHORT_WAIT_MS = 100;
const LONG_WAIT_MS = 2000;
/** A queue that is full for hours says so now and then, not at each batch. */
const TELL_EVERY_MS = 60_000;

/** Hands batches to the frontier, and waits where the queue is at its high-water mark. */
export function createSubmit(options: SubmitOptions): (urls: readonly CanonicalUrl[]) => Promise<void> {
  const { intake, archived, tally, signal, logger, fresh, highWater, mayEnd } = options;
  const enqueueOptions = { fresh, highWater, ...(mayEnd === undefined ? {} : { mayEnd }) };
  let told = -Infinity;

  function full(): void {
    tally.waitsFor = `the queue to fall below ${highWater} URLs`;
    if (performance.now() - told < TELL_EVERY_MS) return;
    told = performance.now();
    logger.info({ highWater, dealt: tally.dealt }, `waits for ${tally.waitsFor} (QUEUE_HIGH_WATER)`);
  }

  return async (urls) => {
    let left = urls;
    if (archived !== undefined && urls.length > 0) {
      const known = await persist(() => archived(urls, signal), { signal, logger });
      left = urls.filter((url) => !known.has(url));
      tally.archived += urls.length - left.length;
    }
    for (let waitMs = SHORT_WAIT_MS; left.length > 0;) {
      const batch = left;
      const result = await persist(() => intake.enqueue(batch, enqueueOptions), { signal, logger });
      tally.add(result);
      tally.reached = batch[result.consumed - 1] ?? tally.reached;
      left = batch.slice(result.consumed);
      if (left.length === 0) break;
      full();
      waitMs = result.consumed > 0 ? SHORT_WAIT_MS : Math.min(waitMs * 2, LONG_WAIT_MS);
      await sleep(waitMs, signal);
    }
    tally.waitsFor = undefined;
  };
}
