import type { ScriptRunner } from '../redis/index.js';
import type { CanonicalUrl } from '../url/index.js';
import { enqueue, producerRound } from './scripts.js';
import { DEFAULT_TRAPS, type FollowRefusal, pathRepeats, type Traps } from './traps.js';

/** What became of the URLs of one call. The counts add up to `consumed`. */
export interface EnqueueResult {
  /** How many of the URLs, from the first on, were dealt with; fewer than given: the queue is at its high-water mark. */
  readonly consumed: number;
  readonly queued: number;
  /** Waiting, in flight, or failed and to be retried. */
  readonly pending: number;
  readonly done: number;
  readonly dead: number;
  /** Not queued because of a limit of the site; reasons that did not occur are left out. */
  readonly refused: Refused;
}

export type Refused = { readonly [reason in FollowRefusal]?: number };

export interface EnqueueOptions {
  /** Crawl also what is done. */
  readonly fresh?: boolean;
  /** Links away from where the crawl began. */
  readonly depth?: number;
  /** The queue takes no more once it holds so many. */
  readonly highWater?: number;
  /** The URLs may lie beyond the end of a range; the time, by Redis, at which the round began. */
  readonly mayEnd?: number;
}

/** What the site file says on how far a crawl may go. */
export interface IntakeLimits {
  readonly maxPages?: number | undefined;
  readonly maxDepth?: number | undefined;
  readonly traps?: Traps | undefined;
}

/** The producers' side of the frontier. */
export interface Intake {
  /** Queues the URLs that are not known yet, in one step. At most 1,000 at a time; more is an error of the caller. */
  enqueue(urls: readonly CanonicalUrl[], options?: EnqueueOptions): Promise<EnqueueResult>;
  /**
   * Queues links found on a page, any number, as far as the site's limits go: `maxPages`, `maxDepth` and the guards
   * against traps. What is refused is counted in the site's counters, as often as it is found.
   */
  follow(urls: readonly CanonicalUrl[], depth: number): Promise<Refused>;
  /** Says that a producer round is under way: again every few seconds, forgotten after 30 s of silence. */
  touchRound(round: string): Promise<void>;
  endRound(round: string): Promise<void>;
}

export const ROUND_STALE_MS = 30_000;
export const MAX_ENQUEUE = 1_000;

const NO_LIMIT = -1;

export function createIntake(scripts: ScriptRunner, limits: IntakeLimits): Intake {
  const { maxPages = NO_LIMIT, maxDepth = NO_LIMIT, traps = DEFAULT_TRAPS } = limits;
  const round = async (id: string, action: 'touch' | 'end'): Promise<void> => {
    await scripts.run(producerRound, { args: { round: id, action, stale_ms: ROUND_STALE_MS } });
  };

  async function add(urls: readonly CanonicalUrl[], options: EnqueueOptions, repeats: number): Promise<EnqueueResult> {
    const { fresh = false, depth = 0, highWater = Number.MAX_SAFE_INTEGER, mayEnd } = options;
    const args = {
      fresh: fresh ? 1 : 0,
      depth,
      may_end: mayEnd ?? '',
      high_water: highWater,
      max_pages: maxPages,
      max_depth: maxDepth,
      max_variants: traps.queryVariants,
      path_repeats: repeats,
    };
    const reply = await scripts.run(enqueue, { args, rest: urls });
    const [consumed, queued, pending, done, dead, overPages, overDepth, overVariants] = reply;
    const refused = { 'max-pages': overPages, 'max-depth': overDepth, 'query-variants': overVariants };
    return { consumed, queued, pending, done, dead, refused: occurred({ ...refused, 'path-repeat': repeats }) };
  }

  return {
    async enqueue(urls, options = {}) {
      if (urls.length > MAX_ENQUEUE)
        throw new RangeError(`enqueue takes at most ${MAX_ENQUEUE} URLs, got ${urls.length}`);
      if (urls.length === 0) return { consumed: 0, queued: 0, pending: 0, done: 0, dead: 0, refused: {} };
      return add(urls, options, 0);
    },
    async follow(urls, depth) {
      const sound = urls.filter((url) => !pathRepeats(url, traps.pathRepeats));
      let repeats = urls.length - sound.length;
      let refused: Refused = {};
      for (let start = 0; start < sound.length || repeats > 0; start += MAX_ENQUEUE) {
        const result = await add(sound.slice(start, start + MAX_ENQUEUE), { depth }, repeats);
        refused = sum(refused, result.refused);
        repeats = 0;
      }
      return refused;
    },
    touchRound: (id) => round(id, 'touch'),
    endRound: (id) => round(id, 'end'),
  };
}

function occurred(refused: Required<Refused>): Refused {
  return Object.fromEntries(Object.entries(refused).filter(([, count]) => count > 0));
}

function sum(one: Refused, other: Refused): Refused {
  const total: Partial<Record<FollowRefusal, number>> = { ...one };
  for (const [reason, count] of Object.entries(other)) {
    total[reason as FollowRefusal] = (total[reason as FollowRefusal] ?? 0) + count;
  }
  return total;
}
