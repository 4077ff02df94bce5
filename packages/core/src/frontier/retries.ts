import type { RedisClient, ScriptRunner, SiteKeys } from '../redis/index.js';
import type { CanonicalUrl } from '../url/index.js';
import * as scripts from './scripts.js';
import { readTaskRecord, type TaskRecord } from './task.js';

export interface FailedUrl {
  readonly url: CanonicalUrl;
  readonly failures: number;
  readonly record: TaskRecord;
}

/** The scheduler's side of the frontier: what failed, and what is beyond help. Every step may be repeated. */
export interface Retries {
  countFailed(): Promise<number>;
  /** Brings up to `limit` URLs with fewer than `maxFailures` failures back to the queue. `taken` 0: none is left. */
  requeue(maxFailures: number, limit: number): Promise<{ taken: number; queued: number }>;
  /** Up to `limit` URLs with `maxFailures` failures or more. */
  exhausted(maxFailures: number, limit: number): Promise<readonly FailedUrl[]>;
  /** Only after the commit of their dead letters. `spared`: it has no longer failed that often. */
  buryFailed(urls: readonly CanonicalUrl[], maxFailures: number): Promise<readonly ('buried' | 'already' | 'spared')[]>;
  /** Another chance for dead URLs, with a clean record. */
  redrive(urls: readonly CanonicalUrl[]): Promise<readonly ('queued' | 'pending' | 'not-dead')[]>;
}

export function createRetries(runner: ScriptRunner, client: RedisClient, keys: SiteKeys): Retries {
  return {
    countFailed: () => client.zcard(keys.failUrlZset),
    async requeue(maxFailures, limit) {
      const [taken, queued] = await runner.run(scripts.requeue, { args: { max_failures: maxFailures, limit } });
      return { taken, queued };
    },
    async exhausted(maxFailures, limit) {
      const flat = await client.zrangebyscore(keys.failUrlZset, maxFailures, '+inf', 'WITHSCORES', 'LIMIT', 0, limit);
      const urls = flat.filter((_, index) => index % 2 === 0);
      if (urls.length === 0) return [];
      const records = await client.hmget(keys.task, ...urls);
      return urls.map((url, index) => ({
        url: url as CanonicalUrl,
        failures: Number(flat[index * 2 + 1]),
        record: readTaskRecord(records[index] ?? null),
      }));
    },
    async buryFailed(urls, maxFailures) {
      if (urls.length === 0) return [];
      return runner.run(scripts.buryFailed, { args: { max_failures: maxFailures }, rest: urls });
    },
    async redrive(urls) {
      if (urls.length === 0) return [];
      return runner.run(scripts.redrive, { args: {}, rest: urls });
    },
  };
}
