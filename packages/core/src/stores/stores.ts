import { describeServer, type Servers } from '../config/index.js';
import { migrate, openDatabase, waitForDatabase, type Database } from '../db/index.js';
import type { Logger } from '../logging/index.js';
import { connectRedis, isServing, redisAddress, waitForRedis, type RedisClient } from '../redis/index.js';
import type { Part, Readiness, ReadinessCheck } from '../runtime/index.js';

/** Redis and MySQL of one process: opened, waited for, migrated and closed in one place. */
export interface Stores {
  readonly redis: RedisClient;
  readonly database: Database;
  /** First among the parts of a daemon, behind the health server. */
  readonly part: Part;
  /** For /readyz. */
  readonly checks: Readonly<Record<'redis' | 'mysql', ReadinessCheck>>;
  /** One more connection to Redis, for a command that blocks. Closed with the others. */
  blockingRedis(name: string): RedisClient;
}

export interface StoresOptions extends Servers {
  /** Of the process, as CLIENT LIST and SHOW PROCESSLIST show it. */
  readonly name: string;
  readonly poolSize: number;
  readonly logger: Logger;
  /** Give up at start after so many ms, as a one-shot command does; absent: wait for ever. */
  readonly deadlineMs?: number;
  /** Leaves the schema as it is: for workers, whose primary has migrated already. */
  readonly migrated?: boolean;
  /** Does not say where the servers are: one line a node is enough. */
  readonly quiet?: boolean;
}

/** All connections of a process lose the same server: one line for them together, so often. */
const TELL_TROUBLE_EVERY_MS = 10_000;

/** Connects nothing yet: `part.start` does, waits until both answer and brings the schema up to date. */
export function openStores({
  name,
  poolSize,
  logger,
  deadlineMs,
  migrated = false,
  quiet = false,
  ...servers
}: StoresOptions): Stores {
  const address = redisAddress(servers.redis);
  const connect = (suffix = ''): RedisClient =>
    connectRedis({
      ...servers.redis,
      name: `dist-crawl:${name}${suffix}`,
      onTrouble: (error) => {
        away = true;
        if (performance.now() - lastTold < TELL_TROUBLE_EVERY_MS) return;
        lastTold = performance.now();
        logger.warn({ address }, `Redis at ${address}: ${error.message}; trying on`);
      },
    });
  let away = false;
  let lastTold = -Infinity;
  const redis = connect();
  redis.on('ready', () => {
    if (away) logger.info({ address }, `Redis at ${address} answers again`);
    away = false;
    lastTold = -Infinity;
  });
  const extra: RedisClient[] = [];
  const database = openDatabase({ url: servers.database.url, poolSize, applicationName: `dist-crawl:${name}`, logger });
  let stopped = false;
  return {
    redis,
    database,
    blockingRedis(suffix) {
      const client = connect(`:${suffix}`);
      extra.push(client);
      return client;
    },
    checks: {
      redis: async (): Promise<Readiness> => {
        const serving = await isServing(redis);
        return serving === 'yes' ? 'ready' : { notReady: `${address}: ${serving.no}` };
      },
      mysql: async (): Promise<Readiness> => {
        await database.ping();
        return 'ready';
      },
    },
    part: {
      name: 'Redis and MySQL',
      async start(signal) {
        if (!quiet) logger.info(`Redis: ${describeServer(servers.redis)}, MySQL: ${describeServer(servers.database)}`);
        const onWait = (reason: string): void =>
          logger.warn(`Redis at ${address} does not answer, trying on: ${reason}`);
        await waitForRedis(redis, {
          target: servers.redis,
          signal,
          onWait,
          ...(deadlineMs === undefined ? {} : { deadlineMs }),
        });
        await waitForDatabase(database, { signal, deadlineMs, logger });
        if (!migrated) await migrate(database, { signal, logger });
      },
      async stop() {
        if (stopped) return;
        stopped = true;
        for (const client of [...extra, redis]) client.disconnect();
        await database.close();
      },
    },
  };
}
