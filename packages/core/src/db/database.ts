import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { causeOf, classify, isTransientFault, TransientDatabaseError, type TransientFault } from './classify.js';
import { addressOf, parseDatabaseUrl } from './database-url.js';
import { bounded, DeadlineError, pause } from './deadline.js';
import { createSessionPool, type Lease, type Session } from './session-pool.js';

/** As much of pino's logger as this door needs. */
export interface DatabaseLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface DatabaseOptions {
  /** `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Shown by the server for each connection. */
  readonly applicationName?: string | undefined;
  readonly logger?: DatabaseLogger | undefined;
  /** Ends every wait for the database, also in mid transaction: for the hard end of a process, not for a drain. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt as a whole, connecting included; default 30 s. */
  readonly timeoutMs?: number | undefined;
}

/**
 * MySQL or MariaDB. Work must be safe to repeat: `run` and `transaction` do it again on a new connection when the
 * connection was lost, and after a conflict with another transaction, so an answer that got lost may mean it ran twice.
 * What lasts longer is thrown as TransientDatabaseError, for the caller to wait and decide.
 */
export interface Database {
  /** `host:port/database`. */
  readonly address: string;
  /** Runs work on one connection, each statement by itself. */
  run<T>(work: (session: Session) => Promise<T>, options?: CallOptions): Promise<T>;
  /** Runs work in one transaction; committed when it resolves. */
  transaction<T>(work: (session: Session) => Promise<T>, options?: CallOptions): Promise<T>;
  /** Resolves if the server answers within 5 s. */
  ping(signal?: AbortSignal): Promise<void>;
  /** How many connections the server allows this user, for all processes together. */
  maxConnections(signal?: AbortSignal): Promise<number>;
  /** Closes all connections; may be called twice. Calls under way fail. */
  close(): Promise<void>;
}

const CALL_TIMEOUT_MS = 30_000;
const PING_TIMEOUT_MS = 5_000;
const CLOSE_DEADLINE_MS = 2_000;
const ATTEMPTS: Record<TransientFault, number> = { conflict: 8, connection: 3, busy: 1, storage: 1, 'read-only': 1 };
const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 1_000;

/** Opens a database; connections are made when needed. @throws ConfigError where the URL is wrong. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, logger, signal: ending } = options;
  const address = addressOf(url);
  const pool = createSessionPool(parseDatabaseUrl(url), poolSize, options.applicationName ?? 'dist-crawl');
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  async function attempt<T>(work: (lease: Lease) => Promise<T>, { signal, timeoutMs }: CallOptions): Promise<T> {
    // Which of the two happened first is settled here: a lease that comes after its caller left is given back.
    let lease: Lease | undefined;
    let left = false;
    const whole = async () => {
      const taken = await pool.lease();
      if (left) {
        taken.release();
        throw new Error('nobody waits for this connection any more');
      }
      lease = taken;
      return await work(taken);
    };
    try {
      const result = await bounded(whole(), {
        signals: [closing.signal, ending, signal],
        timeoutMs: timeoutMs ?? CALL_TIMEOUT_MS,
      });
      lease?.release();
      return result;
    } catch (error) {
      left = true;
      if (keepsConnection(error)) lease?.release();
      else lease?.destroy();
      throw error;
    }
  }

  async function withRetries<T>(work: (lease: Lease) => Promise<T>, options: CallOptions): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(work, options);
      } catch (thrown) {
        const error = causeOf(thrown);
        const fault = classify(error);
        if (!isTransientFault(fault)) throw error;
        if (error instanceof TransientDatabaseError) throw error;
        if (attempts >= ATTEMPTS[fault] || error instanceof DeadlineError)
          throw new TransientDatabaseError(fault, address, error);
        logger?.debug({ fault, attempts, error: String(error) }, 'a database call is tried again');
        await pause(retryDelayMs(attempts), [closing.signal, ending, options.signal]);
      }
    }
  }

  const database: Database = {
    address,
    run: (work, options = {}) => withRetries(async ({ session }) => await work(session), options),
    transaction: (work, options = {}) => withRetries(async (lease) => await inTransaction(lease, work), options),
    async ping(signal) {
      await database.run(async (session) => await session.execute(sql`select 1`), {
        signal,
        timeoutMs: PING_TIMEOUT_MS,
      });
    },
    async maxConnections(signal) {
      const [rows] = await database.run(
        async (session) =>
          await session.execute(sql`select @@max_connections as of_server, @@max_user_connections as of_user`),
        { signal },
      );
      const limits = limitsReply.parse(rows)[0];
      return limits.of_user > 0 ? Math.min(limits.of_server, limits.of_user) : limits.of_server;
    },
    async close() {
      closed ??= (async () => {
        closing.abort(new Error('the database was closed'));
        // Calls under way let go of their connections first, so that no goodbye has to wait for them.
        await setImmediate();
        await pool.close(CLOSE_DEADLINE_MS);
      })();
      await closed;
    },
  };
  return database;
}

const limitsReply = z.tuple([z.object({ of_server: z.coerce.number(), of_user: z.coerce.number() })]);

async function inTransaction<T>(lease: Lease, work: (session: Session) => Promise<T>): Promise<T> {
  await lease.command('START TRANSACTION');
  try {
    const result = await work(lease.session);
    await lease.command('COMMIT');
    return result;
  } catch (error) {
    // Rolled back also after a deadlock (where the server did it) and a lock time-out (where it did not). On a
    // connection that is gone this fails at once, and the first error is the one that tells.
    if (keepsConnection(error)) await lease.command('ROLLBACK');
    throw error;
  }
}

/** Whether the server answered with this error, so that the connection is in order and nothing is outstanding. */
function keepsConnection(error: unknown): boolean {
  const fault = classify(error);
  return fault === 'conflict' || fault === 'data' || fault === 'storage' || fault === 'read-only';
}

/** Doubling, with full jitter: nodes that met once shall not meet again. */
function retryDelayMs(attempts: number): number {
  return Math.random() * Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);
}
