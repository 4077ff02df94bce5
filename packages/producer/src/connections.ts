import type { Servers } from '@dist-crawl/core/config';
import { type Database, isArchived } from '@dist-crawl/core/db';
import type { Logger } from '@dist-crawl/core/logging';
import { connectRedis, isServing, redisAddress, type RedisClient, waitForRedis } from '@dist-crawl/core/redis';
import type { Part, ReadinessCheck } from '@dist-crawl/core/runtime';
import { openStores } from '@dist-crawl/core/stores';
import type { ArchiveLookup } from './submit.js';

/** The servers that a producer uses: Redis, and MySQL only where archived URLs are to be skipped. */
export interface Connections {
  readonly redis: RedisClient;
  /** Connects when it starts. */
  readonly part: Part;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Undefined without MySQL. */
  archiveOf(site: string): ArchiveLookup | undefined;
}

export interface ConnectionsOptions extends Servers {
  readonly withArchive: boolean;
  /** Give up at start after so many ms; undefined: wait for ever. */
  readonly deadlineMs: number | undefined;
  readonly logger: Logger;
}

export function openConnections({ withArchive, deadlineMs, logger, redis, database }: ConnectionsOptions): Connections {
  const deadline = deadlineMs === undefined ? {} : { deadlineMs };
  if (!withArchive) return redisAlone(redis, deadline, logger);
  const stores = openStores({ redis, database, name: 'producer', poolSize: 2, logger, ...deadline });
  return { ...stores, archiveOf: (site) => lookUp(stores.database, site) };
}

function lookUp(database: Database, site: string): ArchiveLookup {
  return async (urls, signal) => await isArchived(database, site, urls, { signal });
}

function redisAlone(target: Servers['redis'], deadline: { deadlineMs?: number }, logger: Logger): Connections {
  const address = redisAddress(target);
  const redis = connectRedis({
    ...target,
    name: 'dist-crawl:producer',
    onTrouble: (error) => logger.warn({ address }, `Redis at ${address}: ${error.message}`),
  });
  const part: Part = {
    name: 'Redis',
    async start(signal) {
      logger.info(
        `Redis at ${address}${target.source === 'private servers' ? ' (private server of `crawl services start`)' : ''}`,
      );
      const onWait = (reason: string): void => logger.warn(`Redis at ${address} does not answer, trying on: ${reason}`);
      await waitForRedis(redis, { target, signal, onWait, ...deadline });
    },
    stop: () => redis.disconnect(),
  };
  const check: ReadinessCheck = async () => {
    const serving = await isServing(redis);
    return serving === 'yes' ? 'ready' : { notReady: `${address}: ${serving.no}` };
  };
  return { redis, part, checks: { redis: check }, archiveOf: () => undefined };
}
