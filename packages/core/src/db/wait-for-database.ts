import { ConfigError, UnavailableError } from '../errors/index.js';
import { classify, isTransient } from './classify.js';
import type { Database, DatabaseLogger } from './database.js';
import { pause } from './deadline.js';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** After so long without an answer it is given up; default never, as a daemon wants it. */
  readonly deadlineMs?: number | undefined;
  readonly logger?: DatabaseLogger | undefined;
  /** Where the URL was set, for the message about a wrong password. */
  readonly where?: string | undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/**
 * Resolves once the server answers; says once, and then every minute, that it does not.
 * @throws UnavailableError after the deadline; ConfigError when user, password or database are refused.
 */
export async function waitForDatabase(database: Database, options: WaitOptions = {}): Promise<void> {
  const { signal, deadlineMs = Infinity, logger, where = 'DATABASE_URL' } = options;
  const startMs = performance.now();
  let lastToldMs = -Infinity;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    try {
      await database.ping(signal);
      if (lastToldMs >= 0) logger?.info({ address: database.address }, `MySQL at ${database.address} answers`);
      return;
    } catch (error) {
      if (classify(error) === 'access') throw refused(where, database.address, error);
      if (!isTransient(error)) throw error;
      const leftMs = startMs + deadlineMs - performance.now();
      if (leftMs <= 0) throw new UnavailableError('MySQL', database.address, rootOf(error));
      if (performance.now() - lastToldMs > 60_000) {
        lastToldMs = performance.now();
        const message = `MySQL at ${database.address} does not answer, trying on: ${rootOf(error).message}`;
        logger?.warn({ address: database.address }, message);
      }
      await pause(Math.min(leftMs, waitMs * (0.5 + Math.random() / 2)), [signal]);
    }
  }
}

function refused(where: string, address: string, error: unknown): ConfigError {
  const what = `the server at ${address} refuses it: ${rootOf(error).message}`;
  return new ConfigError([{ where, what, expected: 'a user, password and database that exist there' }]);
}

function rootOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return error.cause instanceof Error ? error.cause : error;
}
