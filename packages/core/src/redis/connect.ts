import { Cluster, Redis } from 'ioredis';
import { describeRedis, type ClusterTarget, type RedisTarget, type SentinelTarget } from '../config/index.js';
import { isReadOnly } from './refusals.js';

export type RedisClient = Redis | Cluster;

/** Where to connect, and how to be known there. */
export type RedisOptions = RedisTarget & {
  /** Shown by `CLIENT LIST`. */
  readonly name: string;
  /** Told of each lost connection and each failed attempt, at most once a second. */
  readonly onTrouble?: (error: Error) => void;
};

const MAX_BACKOFF_MS = 5_000;
/**
 * A server that owes a reply for so long is taken for gone: a machine that lost its power closes no connection. Longer
 * than any command blocks.
 */
const SILENCE_MS = 15_000;
/** Between two looks at who serves which slot, besides those that an answer gives reason for. */
const SLOTS_EVERY_MS = 30_000;

const reconnectDelay = (attempt: number): number =>
  Math.min(100 * 2 ** Math.min(attempt, 10), MAX_BACKOFF_MS) * (0.75 + Math.random() / 2);

/**
 * A client that never gives up: commands wait while the connection is away and are sent again when it is back, which is
 * safe because every script may run twice. Reconnects with backoff for ever, also away from a master that became a
 * read-only replica; follows sentinels and a cluster to the new master. It connects with its first command; wait for
 * `waitForRedis` before relying on it.
 */
export function connectRedis(options: RedisOptions): RedisClient {
  const client = open(options);
  let lastTold = 0;
  let refusal: Error | undefined;
  const tell = (error: Error): void => {
    const now = Date.now();
    if (now - lastTold < 1_000) return;
    lastTold = now;
    options.onTrouble?.(error);
  };
  // What a sentinel answered says more than that none of them helped.
  client.on('sentinelError', (error: Error) => (refusal = error));
  client.on('error', (error: Error) => {
    tell(error.message.startsWith('All sentinels are unreachable') && refusal !== undefined ? refusal : error);
    refusal = undefined;
  });
  client.on('node error', (error: Error, node: string) =>
    tell(new Error(`${node}: ${error.message}`, { cause: error })),
  );
  return client;
}

function open(options: RedisOptions): RedisClient {
  const common = {
    connectionName: options.name,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    connectTimeout: 5_000,
    keepAlive: 10_000,
    socketTimeout: SILENCE_MS,
    // 2: the command is sent again on the next connection.
    reconnectOnError: (error: Error) => (isReadOnly(error) ? (2 as const) : false),
  };
  if ('url' in options) return new Redis(options.url, { ...common, retryStrategy: reconnectDelay });
  if ('cluster' in options) {
    return new Cluster(
      options.cluster.map((each) => ({ ...each })),
      {
        redisOptions: { ...common, ...access(options) },
        lazyConnect: true,
        clusterRetryStrategy: reconnectDelay,
        // As long as a failover takes: whoever waits has a deadline of its own.
        maxRedirections: Number.MAX_SAFE_INTEGER,
        retryDelayOnFailover: 200,
        retryDelayOnClusterDown: 500,
        slotsRefreshTimeout: 3_000,
        slotsRefreshInterval: SLOTS_EVERY_MS,
        // Certificates are for names: with TLS they are kept, and resolved by each connection.
        ...(options.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
      },
    );
  }
  return new Redis({
    ...common,
    ...access(options),
    retryStrategy: reconnectDelay,
    sentinels: options.sentinels.map((each) => ({ ...each })),
    name: options.master,
    db: options.database,
    ...(options.sentinelPassword === undefined ? {} : { sentinelPassword: options.sentinelPassword }),
    ...(options.tls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelRetryStrategy: reconnectDelay,
    // Leaves the old master as soon as the sentinels chose another, not only when its connections break.
    failoverDetector: true,
    sentinelReconnectStrategy: () => MAX_BACKOFF_MS,
    sentinelCommandTimeout: MAX_BACKOFF_MS,
  });
}

function access({ username, password, tls }: SentinelTarget | ClusterTarget): {
  username?: string;
  password?: string;
  tls?: object;
} {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
  };
}

/** Host, port and database, without user and password: for messages. */
export function redisAddress(target: RedisTarget): string {
  if (!('url' in target)) return describeRedis(target);
  try {
    const { hostname, port, pathname } = new URL(target.url);
    return `${hostname}:${port || '6379'}${pathname.length > 1 ? pathname : ''}`;
  } catch {
    return 'an unreadable address';
  }
}
