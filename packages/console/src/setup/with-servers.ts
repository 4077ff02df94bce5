import type { Config } from '@dist-crawl/core/config';
import { createLogger, type Logger } from '@dist-crawl/core/logging';
import { connectRedis, redisAddress, type RedisClient, waitForRedis } from '@dist-crawl/core/redis';
import { openStores, type Stores } from '@dist-crawl/core/stores';

/** How long a command waits for Redis and for MySQL before it gives up with exit code 69. */
const SERVER_DEADLINE_MS = 10_000;

/**
 * A command's logger, on stderr. A command says what matters by itself: the log is for whoever asks for more by
 * `LOG_LEVEL`, and says no more than errors else.
 */
function commandLogger(config: Pick<Config<'console'>, 'logLevel'>): Logger {
  const level = config.logLevel === 'info' || config.logLevel === 'warn' ? 'error' : config.logLevel;
  return createLogger({ name: 'crawl', level, destination: 'stderr' });
}

export interface ServersRequest {
  readonly config: Config<'console'>;
  readonly signal: AbortSignal;
  /** Leaves the schema as it is. */
  readonly migrated?: boolean;
}

/**
 * Runs work with Redis and MySQL, and closes both after it.
 * @throws UnavailableError when one of them does not answer within 10 s
 */
export async function withStores<T>(
  { config, signal, migrated = false }: ServersRequest,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const { redis, database } = config;
  const logger = commandLogger(config);
  const stores = openStores({
    redis,
    database,
    name: 'crawl',
    poolSize: 2,
    logger,
    deadlineMs: SERVER_DEADLINE_MS,
    migrated,
  });
  try {
    await stores.part.start(signal);
    return await work(stores);
  } finally {
    await stores.part.stop(0);
  }
}

/** Runs work with Redis alone. @throws UnavailableError when it does not answer within 10 s */
export async function withRedis<T>(
  { config, signal }: ServersRequest,
  work: (redis: RedisClient) => Promise<T>,
): Promise<T> {
  const target = config.redis;
  const logger = commandLogger(config);
  const onTrouble = (error: Error): void => logger.warn(`Redis at ${redisAddress(target)}: ${error.message}`);
  const redis = connectRedis({ ...target, name: 'dist-crawl:crawl', onTrouble });
  try {
    await waitForRedis(redis, { target, signal, deadlineMs: SERVER_DEADLINE_MS });
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
