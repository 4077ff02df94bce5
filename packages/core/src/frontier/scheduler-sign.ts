import { createSharedCache, type RedisClient, type SiteKeys } from '../redis/index.js';

/** A retry-scheduler at work on the site. */
export interface SchedulerSign {
  /** NODE_TAG of where it runs. */
  readonly node: string;
  /** When it brings failed URLs back: a cron expression. */
  readonly retryCron: string;
}

/** Schedulers leave a sign, so that it can be seen whether failed URLs will come back by themselves. */
export interface SchedulerSigns {
  /** To be given again every SIGN_EVERY_MS. */
  give(sign: SchedulerSign): Promise<void>;
  /** The latest sign of any scheduler; null where none is alive. */
  read(): Promise<SchedulerSign | null>;
}

export const SIGN_EVERY_MS = 10_000;
const KEEP_MS = 3 * SIGN_EVERY_MS;
const LATEST = 'latest';

export function createSchedulerSigns(client: RedisClient, keys: SiteKeys): SchedulerSigns {
  const cache = createSharedCache(client, keys, 'scheduler');
  return {
    give: ({ node, retryCron }) => cache.set(LATEST, JSON.stringify([node, retryCron]), KEEP_MS),
    async read() {
      const [node, retryCron] = JSON.parse((await cache.get(LATEST)) ?? '[]') as string[];
      return node === undefined || retryCron === undefined ? null : { node, retryCron };
    },
  };
}
