import type { DoneVariant, ScriptRunner } from '../redis/index.js';
import * as scripts from './scripts.js';

/** Which structure holds "done": the choice of a site. Its other half is lua/shared/done-*.lua. */
export type Dedup =
  | { readonly store: 'set' }
  | {
      readonly store: 'bloom';
      /** Chance that a page never seen is taken for done, over all layers. */
      readonly errorRate: number;
      /** URLs that the first layer of a month takes. */
      readonly initialCapacity: number;
    };

export interface DoneStore {
  readonly store: DoneVariant;
  /** Takes archived URLs out; a Bloom filter can't, and answers 0. */
  forget(urls: readonly string[]): Promise<number>;
  /** Writes what MySQL has as crawled, but for URLs pending or dead. */
  remember(urls: readonly string[]): Promise<void>;
  /** Bloom: drops the generations of months before `month` (`yyyy-mm`). Set: nothing. */
  dropGenerationsBefore(month: string): Promise<readonly string[]>;
}

/** For the script runner: which Lua half to join, and its parameters. */
export function doneScriptOptions(dedup: Dedup): { variant: DoneVariant; parameters: string } {
  switch (dedup.store) {
    case 'set':
      return { variant: 'set', parameters: '' };
    case 'bloom': {
      const { errorRate, initialCapacity } = dedup;
      return { variant: 'bloom', parameters: JSON.stringify({ errorRate, initialCapacity }) };
    }
  }
}

export function createDoneStore(runner: ScriptRunner, dedup: Dedup): DoneStore {
  return {
    store: dedup.store,
    async forget(urls) {
      return urls.length === 0 ? 0 : runner.run(scripts.forget, { args: {}, rest: urls });
    },
    async remember(urls) {
      if (urls.length > 0) await runner.run(scripts.remember, { args: {}, rest: urls });
    },
    async dropGenerationsBefore(month) {
      return dedup.store === 'set' ? [] : runner.run(scripts.bloomDrop, { args: { month } });
    },
  };
}

export interface BloomLayer {
  readonly name: string;
  readonly capacity: number;
  readonly bits: number;
  readonly hashes: number;
  readonly count: number;
  /** Chance of a false positive at the present fill: (1 − e^(−kn/m))^k. */
  readonly presentError: number;
}

/** Reads the index Hash of a Bloom store as `census` returns it, flat. */
export function readBloomLayers(flat: readonly string[]): readonly BloomLayer[] {
  const layers: BloomLayer[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [capacity, bits, hashes, , count] = (flat[i + 1] ?? '').split(':').map(Number);
    if (capacity === undefined || bits === undefined || hashes === undefined || count === undefined) continue;
    const presentError = (1 - Math.exp((-hashes * count) / bits)) ** hashes;
    layers.push({ name: flat[i] ?? '', capacity, bits, hashes, count, presentError });
  }
  return layers;
}
