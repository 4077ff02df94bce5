import type { RedisClient, ScriptRunner, SiteKeys } from '../redis/index.js';
import { workerIds } from './audit.js';
import type { Recovery } from './recovery.js';
import * as scripts from './scripts.js';

/** Where a URL stands after it was mended. `pending`: where it was, but known to be at work again. */
export type Mended = 'waiting' | 'in-flight' | 'pending' | 'dead' | 'done';

/** What an operator lets mend; each call says what it did. */
export interface Repair {
  /** Puts URLs that the audit names in one place; those that are in order by now are left out of the answer. */
  mend(urls: readonly string[]): Promise<readonly { readonly url: string; readonly now: Mended }[]>;
  /** Gives back what workers hold that are not on the register. */
  recoverUnknown(): Promise<readonly { readonly worker: string; readonly tasks: number }[]>;
  /** URLs that MySQL has as given up, into the dead set; returns how many were missing there. */
  rememberDead(urls: readonly string[]): Promise<number>;
  /** URLs of the done Set, batch by batch; some may come twice. A Bloom filter has no list: none. */
  doneUrls(): AsyncIterable<readonly string[]>;
}

const BATCH = 200;

export function createRepair(
  runner: ScriptRunner,
  client: RedisClient,
  keys: SiteKeys,
  { recovery, exact }: { recovery: Recovery; exact: boolean },
): Repair {
  return {
    async mend(urls) {
      const workers = await workerIds(client, keys);
      const mended: { url: string; now: Mended }[] = [];
      for (let start = 0; start < urls.length; start += BATCH) {
        const part = urls.slice(start, start + BATCH);
        const outcomes = await runner.run(scripts.mend, {
          args: {
            lock_prefix: keys.lockPrefix,
            in_flight_prefix: keys.inFlightPrefix,
            exact: exact ? '1' : '0',
            number_of_workers: workers.length,
          },
          rest: [...workers, ...part],
        });
        for (const [index, url] of part.entries()) {
          const now = outcomes[index];
          if (now !== undefined && now !== 'none') mended.push({ url, now });
        }
      }
      return mended;
    },
    async recoverUnknown() {
      const recovered: { worker: string; tasks: number }[] = [];
      // A worker registers before it claims: one with tasks that is not on the register, read after them, is gone.
      const holding = await workerIds(client, keys);
      const registered = await recovery.heartbeats();
      for (const worker of holding) {
        if (registered.has(worker)) continue;
        const result = await recovery.recover(worker, { processDied: true });
        if (result.kind === 'recovered' && result.tasks > 0) recovered.push({ worker, tasks: result.tasks });
      }
      return recovered;
    },
    async rememberDead(urls) {
      return urls.length === 0 ? 0 : runner.run(scripts.rememberDead, { args: {}, rest: urls });
    },
    async *doneUrls() {
      if (!exact) return;
      let cursor = '0';
      do {
        const [next, found] = await client.sscan(keys.doneUrlSet, cursor, 'COUNT', 1000);
        if (found.length > 0) yield found;
        cursor = next;
      } while (cursor !== '0');
    },
  };
}
