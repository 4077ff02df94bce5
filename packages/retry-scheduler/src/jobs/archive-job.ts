import {
  archiveBatch,
  confirmRestored,
  finishArchive,
  pendingArchive,
  type ArchivedPage,
  type Database,
} from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { counted, type Job, type Report } from './job.js';

/** Pages that go at a time. Each may have a redirect target besides, so scripts get up to twice as many URLs. */
const ARCHIVE_BATCH = 500;
const DAY_MS = 86_400_000;
const PROGRESS_EVERY_MS = 10_000;
/** A batch that was read longer ago than this may have been taken over by another scheduler (see lock: 30 s). */
const MAX_BATCH_AGE_MS = 10_000;

export interface ArchiveReport extends Report {
  /** Pages whose place is in MySQL alone from now on (Bloom: at the latest when their generation is dropped). */
  readonly archived: number;
  /** URLs that were crawled again while they were on their way out, and stay in the done store. */
  readonly restored: number;
  /** Bloom layers dropped. */
  readonly layers: readonly string[];
}

export interface ArchiveJobOptions {
  readonly frontier: Frontier;
  readonly database: Database;
  /** Days since its last crawl after which a page is old enough. */
  readonly afterDays: number;
  readonly logger: Logger;
  /** Pages at a time; for tests. */
  readonly batchSize?: number;
}

/**
 * Moves what was done long ago out of Redis, a batch at a time, by the steps that core's db/archive.ts describes: at any
 * moment a URL is known to the done store or to MySQL, and a run takes up what an earlier one left between two steps.
 * Old enough is judged by Redis' clock.
 */
export function createArchiveJob(options: ArchiveJobOptions): Job<ArchiveReport> {
  const { frontier, database, afterDays, logger, batchSize = ARCHIVE_BATCH } = options;
  const { site } = frontier;
  return {
    name: 'archive',
    frontier,
    async runOnce(signal) {
      const { now } = await frontier.census();
      const cutoff = new Date(now - afterDays * DAY_MS);
      let archived = 0;
      let restored = 0;
      let toldAt = performance.now();
      while (!signal.aborted) {
        const readAt = performance.now();
        const begun = await pendingArchive(database, site, batchSize);
        const batch = begun.length > 0 ? begun : await archiveBatch(database, site, cutoff, batchSize);
        if (batch.length === 0) {
          const layers = await frontier.doneStore.dropGenerationsBefore(lastKeptMonth(cutoff));
          return { archived, restored, layers, finished: true };
        }
        // Without the lock another scheduler may be through with these pages, and some of them crawled again.
        if (signal.aborted) break;
        if (performance.now() - readAt > MAX_BATCH_AGE_MS) continue;
        const moved = await moveOut(options, batch);
        archived += moved.archived;
        restored += moved.restored;
        if (performance.now() - toldAt > PROGRESS_EVERY_MS) {
          toldAt = performance.now();
          logger.info({ site, archived }, `archive of ${site}: ${counted(archived, 'page')} so far`);
        }
      }
      return { archived, restored, layers: [], finished: false };
    },
    describe({ archived, restored, layers }) {
      const parts = [
        ...(archived > 0 ? [`${counted(archived, 'page')} archived`] : []),
        ...(restored > 0 ? [`${counted(restored, 'URL')} crawled again meanwhile and kept`] : []),
        ...(layers.length > 0 ? [`${counted(layers.length, 'Bloom layer')} dropped (${layers.join(', ')})`] : []),
      ];
      return parts.length === 0 ? null : parts.join(', ');
    },
  };
}

/** Steps 2 to 5 for pages whose month is committed. */
async function moveOut(
  { frontier, database }: ArchiveJobOptions,
  batch: readonly ArchivedPage[],
): Promise<{ archived: number; restored: number }> {
  const { doneStore, site } = frontier;
  await doneStore.forget(batch.flatMap(({ url, finalUrl }) => (finalUrl === null ? [url] : [url, finalUrl])));
  const { finished, restore } = await finishArchive(
    database,
    site,
    batch.map(({ id }) => id),
  );
  await doneStore.remember(restore.urls);
  await confirmRestored(database, restore.ids);
  return { archived: finished, restored: restore.urls.length };
}

/**
 * `yyyy-mm` of the oldest Bloom generation that must stay: pages of older ones were last crawled before the cutoff, so all
 * of them are archived, or were crawled again and stand in a newer generation too. A page's time is that of its answer and
 * its generation that of its completion; the day between covers what lies between the two.
 */
export function lastKeptMonth(cutoff: Date): string {
  return new Date(cutoff.getTime() - DAY_MS).toISOString().slice(0, 7);
}
