import type { ScriptRunner } from '../redis/index.js';
import { readBloomLayers, type BloomLayer } from './done-store.js';
import { ROUND_STALE_MS } from './intake.js';
import { readPaceChange, type PaceChange } from './pace-now.js';
import * as scripts from './scripts.js';

/** All figures of a site at one moment. Times in ms of Redis' clock. */
export interface Census {
  readonly now: number;
  readonly waiting: number;
  readonly inFlight: number;
  readonly failed: number;
  /** waiting + inFlight + failed. */
  readonly pending: number;
  readonly done: number;
  readonly dead: number;
  /** Producer rounds under way. */
  readonly rounds: number;
  readonly workers: readonly { readonly worker: string; readonly silentMs: number }[];
  readonly pause:
    | { readonly kind: 'none' }
    | { readonly kind: 'held' | 'paused'; readonly reason: string; readonly leftMs: number | null };
  /** What changes the pace of the site file at present. */
  readonly pace: PaceChange;
  /** Counters since the namespace began: queued, claimed, done, rows, failed, requeued, dead, … */
  readonly counters: Readonly<Record<string, number>>;
  readonly bloom: readonly BloomLayer[];
}

const pairs = (flat: readonly string[]): Map<string, string> => {
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
};

export async function takeCensus(runner: ScriptRunner): Promise<Census> {
  const [now, waiting, pending, done, dead, failed, rounds, workers, pace, stats, bloom] = await runner.run(
    scripts.census,
    {
      args: { stale_ms: ROUND_STALE_MS },
    },
  );
  return {
    now,
    waiting,
    inFlight: Math.max(0, pending - waiting - failed),
    failed,
    pending,
    done,
    dead,
    rounds,
    workers: [...pairs(workers)].map(([worker, sign]) => ({ worker, silentMs: Math.max(0, now - Number(sign)) })),
    pause: readPause(pairs(pace), now),
    pace: readPaceChange(pairs(pace)),
    counters: Object.fromEntries([...pairs(stats)].map(([name, value]) => [name, Number(value)])),
    bloom: readBloomLayers(bloom),
  };
}

function readPause(pace: ReadonlyMap<string, string>, now: number): Census['pause'] {
  const held = pace.get('held');
  if (held !== undefined) return { kind: 'held', reason: held, leftMs: null };
  const leftMs = Number(pace.get('paused_until') ?? 0) - now;
  if (leftMs > 0) return { kind: 'paused', reason: pace.get('reason') ?? '', leftMs };
  return { kind: 'none' };
}

/** The exact end of a run: no producer round under way and nothing pending. */
export function isFinished({ rounds, pending }: Census): boolean {
  return rounds === 0 && pending === 0;
}
