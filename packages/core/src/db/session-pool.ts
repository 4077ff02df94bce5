import { Socket } from 'node:net';
import { drizzle, type MySql2Database } from 'drizzle-orm/mysql2';
import { createPool, type Pool, type PoolConnection } from 'mysql2/promise';
import type { DatabaseTarget } from './database-url.js';
import { bounded } from './deadline.js';

/** Drizzle over one connection whose session is set up. */
export type Session = MySql2Database;

/** A connection lent to one piece of work. Give it back with exactly one of `release` and `destroy`. */
export interface Lease {
  readonly session: Session;
  /** One statement that Drizzle has no word for: BEGIN, COMMIT, SET. */
  command(statement: string): Promise<void>;
  /** Back to the pool; only when no transaction is open and no answer outstanding. */
  release(): void;
  /** Cuts the connection at once, without waiting for the server, which rolls back what was open. */
  destroy(): void;
}

export interface SessionPool {
  /** Waits for a free connection that works. Rejects with the driver's error when none can be made. */
  lease(): Promise<Lease>;
  /** Says goodbye to the server on every connection; those that don't answer are cut after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

interface PooledSession {
  readonly session: Session;
  readonly socket: Socket | undefined;
  lastUsedMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that was idle for longer is asked for a sign of life first: the server may have hung up (wait_timeout). */
const TRUSTED_IDLE_MS = 5_000;
const SIGN_OF_LIFE_TIMEOUT_MS = 2_000;
/** Below the server's default of 50 s, so that a blocked batch is retried while the crawl still waits for it. */
const LOCK_WAIT_SECONDS = 10;

/**
 * What each connection is set to, whatever the server's defaults are. READ COMMITTED takes fewer gap locks than the
 * default, so upserts of several nodes get in each other's way less often.
 */
const SESSION_SETUP = [
  `SET SESSION time_zone = '+00:00', lc_messages = 'en_US', innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, ` +
    `sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** A pool of at most `poolSize` connections, made when first needed. */
export function createSessionPool(target: DatabaseTarget, poolSize: number, applicationName: string): SessionPool {
  const pool = createPool({
    ...(target.socketPath === undefined ? { host: target.host, port: target.port } : { socketPath: target.socketPath }),
    user: target.user,
    password: target.password,
    database: target.database,
    ...(target.tls === 'off' ? {} : { ssl: { rejectUnauthorized: target.tls === 'verify' } }),
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    jsonStrings: true,
    connectionLimit: poolSize,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Without FOUND_ROWS an upsert tells inserted, changed and unchanged rows apart. No file of ours is ever sent.
    flags: ['-FOUND_ROWS', '-LOCAL_FILES'],
    connectAttributes: { program_name: applicationName },
  });
  const known = new WeakMap<object, PooledSession>();
  const sockets = new Set<Socket>();

  async function setUp(connection: PoolConnection): Promise<PooledSession> {
    for (const statement of SESSION_SETUP) await connection.query(statement);
    const socket = socketOf(connection);
    if (socket !== undefined) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    return { session: drizzle({ client: connection }), socket, lastUsedMs: performance.now() };
  }

  return {
    async lease() {
      for (;;) {
        const connection = await pool.getConnection();
        const old = known.get(connection.connection);
        if (old !== undefined && !(await answers(connection, old))) {
          cut(connection);
          continue;
        }
        try {
          const pooled = old ?? (await bounded(setUp(connection), { signals: [], timeoutMs: CONNECT_TIMEOUT_MS }));
          known.set(connection.connection, pooled);
          return lend(connection, pooled);
        } catch (error) {
          cut(connection);
          throw error;
        }
      }
    },
    async close(deadlineMs) {
      await endPool(pool, deadlineMs);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function lend(connection: PoolConnection, pooled: PooledSession): Lease {
  return {
    session: pooled.session,
    async command(statement) {
      await connection.query(statement);
    },
    release() {
      pooled.lastUsedMs = performance.now();
      connection.release();
    },
    destroy() {
      cut(connection);
    },
  };
}

async function answers(connection: PoolConnection, { lastUsedMs }: PooledSession): Promise<boolean> {
  if (performance.now() - lastUsedMs < TRUSTED_IDLE_MS) return true;
  try {
    await bounded(connection.ping(), { signals: [], timeoutMs: SIGN_OF_LIFE_TIMEOUT_MS });
    return true;
  } catch {
    // Why it went is of no interest: the next connection will tell whether the server is there.
    return false;
  }
}

/** The driver's own `destroy` waits for the server to hang up, which a stopped one never does. */
function cut(connection: PoolConnection): void {
  const socket = socketOf(connection);
  connection.destroy();
  socket?.destroy();
}

function socketOf(connection: PoolConnection): Socket | undefined {
  // The driver has the property but does not declare it.
  const core: object = connection.connection;
  return 'stream' in core && core.stream instanceof Socket ? core.stream : undefined;
}

async function endPool(pool: Pool, deadlineMs: number): Promise<void> {
  try {
    await bounded(pool.end(), { signals: [], timeoutMs: deadlineMs });
  } catch {
    // A server that is away can't be said goodbye to; the sockets are destroyed next.
  }
}
