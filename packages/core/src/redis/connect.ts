import { Redis, type Cluster } from 'ioredis';

export type RedisClient = Redis | Cluster;

export interface RedisOptions {
  /** `redis://[user:password@]host[:port][/db]`, `rediss://` for TLS. */
  readonly url: string;
  /** Shown by `CLIENT LIST`. */
  readonly name: string;
  /** Told of each lost connection and each failed attempt, at most once a second. */
  readonly onTrouble?: (error: Error) => void;
}

const MAX_BACKOFF_MS = 5_000;

/**
 * A client that never gives up: commands wait while the connection is away and are sent again when it is back, which is
 * safe because every script may run twice. Reconnects with backoff for ever, also away from a master that became a
 * read-only replica. It connects with its first command; wait for `waitForRedis` before relying on it.
 */
export function connectRedis({ url, name, onTrouble }: RedisOptions): Redis {
  const client = new Redis(url, {
    connectionName: name,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    enableReadyCheck: true,
    connectTimeout: 5_000,
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(100 * 2 ** Math.min(attempt, 10), MAX_BACKOFF_MS) * (0.75 + Math.random() / 2),
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  });
  let lastTold = 0;
  client.on('error', (error: Error) => {
    const now = Date.now();
    if (now - lastTold < 1_000) return;
    lastTold = now;
    onTrouble?.(error);
  });
  return client;
}

/** Host, port and database of a Redis URL, without user and password: for messages. */
export function redisAddress(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || '6379'}${pathname.length > 1 ? pathname : ''}`;
  } catch {
    return 'an unreadable address';
  }
}
