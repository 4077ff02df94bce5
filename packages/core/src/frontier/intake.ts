import type { ScriptRunner } from '../redis/index.js';
import type { CanonicalUrl } from '../url/index.js';
import { enqueue, producerRound } from './scripts.js';

/** What became of the URLs of one call. The counts add up to `consumed`. */
export interface EnqueueResult {
  /** How many of the URLs, from the first on, were dealt with; fewer than given: the queue is at its high-water mark. */
  readonly consumed: number;
  readonly queued: number;
  /** Waiting, in flight, or failed and to be retried. */
  readonly pending: number;
  readonly done: number;
  readonly dead: number;
}

export interface EnqueueOptions {
  /** Crawl also what is done. */
  readonly fresh?: boolean;
  /** Links away from where the crawl began. */
  readonly depth?: number;
  /** The queue takes no more once it holds so many. */
  readonly highWater?: number;
}

/** The producers' side of the frontier. */
export interface Intake {
  /** Queues the URLs that are not known yet, in one step. At most 1,000 at a time; more is an error of the caller. */
  enqueue(urls: readonly CanonicalUrl[], options?: EnqueueOptions): Promise<EnqueueResult>;
  /** Says that a producer round is under way: again every few seconds, forgotten after 30 s of silence. */
  touchRound(round: string): Promise<void>;
  endRound(round: string): Promise<void>;
}

export const ROUND_STALE_MS = 30_000;
export const MAX_ENQUEUE = 1_000;

export function createIntake(scripts: ScriptRunner): Intake {
  const round = async (id: string, action: 'touch' | 'end'): Promise<void> => {
    await scripts.run(producerRound, { args: { round: id, action, stale_ms: ROUND_STALE_MS } });
  };
  return {
    async enqueue(urls, { fresh = false, depth = 0, highWater = Number.MAX_SAFE_INTEGER } = {}) {
      if (urls.length > MAX_ENQUEUE) throw new RangeError(`enqueue takes at most ${MAX_ENQUEUE} URLs, got ${urls.length}`);
      if (urls.length === 0) return { consumed: 0, queued: 0, pending: 0, done: 0, dead: 0 };
      const args = { fresh: fresh ? 1 : 0, depth, high_water: highWater };
      const [consumed, queued, pending, done, dead] = await scripts.run(enqueue, { args, rest: urls });
      return { consumed, queued, pending, done, dead };
    },
    touchRound: (id) => round(id, 'touch'),
    endRound: (id) => round(id, 'end'),
  };
}
