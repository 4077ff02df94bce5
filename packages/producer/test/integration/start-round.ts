import { randomBytes } from 'node:crypto';
import type { Frontier } from '@dist-crawl/core/frontier';
import { createSilentLogger } from '@dist-crawl/core/logging';
import type { Site } from '@dist-crawl/core/sites';
import { type Round, runRound } from '../../src/round.js';
import { createSift } from '../../src/sift.js';
import type { Source } from '../../src/sources/source.js';
import { Tally } from '../../src/tally.js';

export const logger = createSilentLogger();

/** Starts a round; what comes of it is in its tally. */
export function startRound(site: Site, frontier: Frontier, source: Source, changes: Partial<Round> = {}) {
  const tally = new Tally();
  const stop = new AbortController();
  const round: Round = {
    intake: frontier.intake,
    archived: undefined,
    source,
    sift: createSift(site),
    round: randomBytes(6).toString('hex'),
    batchSize: 50,
    highWater: 100_000,
    fresh: false,
    tally,
    signal: stop.signal,
    logger,
    ...changes,
  };
  return { tally, stop: () => stop.abort(new Error('stopping')), ended: runRound(round) };
}
