import { setImmediate } from 'node:timers/promises';
import { MAX_ENQUEUE, type Ranges } from '@dist-crawl/core/frontier';
import { isAbort } from '@dist-crawl/core/runtime';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { createSift } from './sift.js';
import type { Source } from './sources/source.js';
import { type RoundSign, whileUnderWay } from './round-sign.js';
import { LOOK_EVERY, untilEnd } from './range-end.js';
import { createSubmit, type SubmitOptions } from './submit.js';
import { persist } from './trouble.js';

export interface Round extends Omit<SubmitOptions, 'intake' | 'mayEnd'>, RoundSign {
  readonly intake: SubmitOptions['intake'] & RoundSign['intake'];
  readonly source: Source;
  readonly sift: ReturnType<typeof createSift>;
  /** URLs handed to the frontier at once. */
  readonly batchSize: number;
  /** Ends a page range after so many pages in a row beyond its end. */
  readonly untilEmpty?: { readonly inARow: number; readonly ranges: Pick<Ranges, 'now' | 'look'> } | undefined;
}

const YIELD_EVERY = 1000;

export type RoundEnd = 'finished' | 'stopped';

/**
 * One pass over a source, for one site: each candidate is checked, and queued in batches. What comes of it is in the tally, at
 * any moment. A round that is stopped has lost nothing: another one over the same source skips what this one queued.
 */
export async function runRound(round: Round): Promise<RoundEnd> {
  const { signal } = round;
  try {
    await whileUnderWay(round, () => queueAll(round));
    return 'finished';
  } catch (error) {
    if (!isAbort(error, signal)) throw error;
    return 'stopped';
  }
}

async function queueAll(round: Round): Promise<void> {
  const { source, sift, signal, tally, logger, fresh, untilEmpty } = round;
  const mayEnd = untilEmpty && (await persist(() => untilEmpty.ranges.now(), { signal, logger }));
  const batchSize = Math.min(round.batchSize, MAX_ENQUEUE, untilEmpty === undefined ? MAX_ENQUEUE : LOOK_EVERY);
  const submit = createSubmit({ ...round, mayEnd });
  let candidates = source.candidates(signal);
  if (untilEmpty !== undefined) {
    // Ends that an earlier round found hold on, but for pages that are crawled again.
    const since = fresh ? (mayEnd ?? 0) : 0;
    candidates = untilEnd(candidates, { ...untilEmpty, since, tally, signal, logger });
  }
  let batch: CanonicalUrl[] = [];
  let seen = 0;
  for await (const candidate of candidates) {
    // A source that never waits, all of whose URLs are refused, would keep timers and signals waiting.
    if ((seen += 1) % YIELD_EVERY === 0) await setImmediate(undefined, { signal });
    const sifted = sift(candidate);
    if ('refused' in sifted) tally.refuse(sifted.refused, candidate);
    if (!('url' in sifted)) continue;
    batch.push(sifted.url);
    if (batch.length < batchSize) continue;
    await submit(batch);
    batch = [];
  }
  signal.throwIfAborted();
  await submit(batch);
}
