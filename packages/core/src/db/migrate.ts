import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { causeOf, errorNumberOf } from './classify.js';
import type { Database, DatabaseLogger } from './database.js';
import type { Session } from './session-pool.js';

export interface MigrateOptions {
  readonly signal?: AbortSignal | undefined;
  readonly logger?: DatabaseLogger | undefined;
  /** Folder of the SQL files; default the product's own. */
  readonly folder?: URL | undefined;
}

interface Statement {
  /** File name without `.sql`. */
  readonly migration: string;
  /** Place in the file, from 1. */
  readonly ordinal: number;
  readonly text: string;
}

const OWN_FOLDER = new URL('../../migrations/', import.meta.url);
const BREAKPOINT = '--> statement-breakpoint';
/** One wait for the lock; waits are repeated, so that an aborted start does not linger on the server. */
const LOCK_WAIT_SECONDS = 2;

/**
 * The statement ran before, and the process died before it could record that: table, column or key exists, or what
 * was to be dropped is gone (MySQL has no DDL in transactions).
 */
const ALREADY_APPLIED = new Set([1050, 1060, 1061, 1091]);

/**
 * Brings the schema up to date: one statement at a time, each recorded in `dist_crawl_migrations` once it is through.
 * Any number of processes may start at once: GET_LOCK lets one work while the others wait, and one that died has
 * lost the lock with its connection. Statements that are recorded and unknown here (a newer version ran) are left alone.
 * @returns how many statements this call applied.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<number> {
  const { signal, logger, folder = OWN_FOLDER } = options;
  const statements = await readStatements(folder);
  // No time limit: an index on a large table takes as long as it takes.
  return await database.run(
    async (session) => {
      const lock = await takeLock(session, signal);
      try {
        return await applyMissing(session, statements, { signal, logger });
      } finally {
        await session.execute(sql`select release_lock(${lock})`);
      }
    },
    { signal, timeoutMs: Infinity },
  );
}

async function applyMissing(
  session: Session,
  statements: readonly Statement[],
  options: MigrateOptions,
): Promise<number> {
  const { signal, logger } = options;
  await session.execute(sql`set session default_storage_engine = 'InnoDB'`);
  await session.execute(sql`create table if not exists dist_crawl_migrations (
    migration varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
    ordinal int not null,
    applied_at datetime(3) not null,
    primary key (migration, ordinal)
  )`);
  const applied = await readApplied(session);
  let count = 0;
  for (const { migration, ordinal, text } of statements) {
    if (applied.has(`${migration}#${ordinal}`)) continue;
    signal?.throwIfAborted();
    logger?.info({ migration, ordinal }, `database: applying ${migration}, statement ${ordinal}`);
    await applyOne(session, text);
    await session.execute(sql`insert into dist_crawl_migrations values (${migration}, ${ordinal}, utc_timestamp(3))`);
    count += 1;
  }
  return count;
}

async function applyOne(session: Session, text: string): Promise<void> {
  try {
    await session.execute(sql.raw(text));
  } catch (error) {
    if (!ALREADY_APPLIED.has(errorNumberOf(error))) throw causeOf(error);
  }
}

const appliedReply = z.array(z.object({ migration: z.string(), ordinal: z.number() }));

async function readApplied(session: Session): Promise<Set<string>> {
  const [rows] = await session.execute(sql`select migration, ordinal from dist_crawl_migrations`);
  return new Set(appliedReply.parse(rows).map(({ migration, ordinal }) => `${migration}#${ordinal}`));
}

const lockReply = z.tuple([z.object({ taken: z.coerce.number().nullable() })]);
const nameReply = z.tuple([z.object({ name: z.string() })]);

/** Locks are named for the whole server, so the name holds the database's; MySQL allows 64 characters. */
async function takeLock(session: Session, signal: AbortSignal | undefined): Promise<string> {
  const [names] = await session.execute(sql`select database() as name`);
  const digest = createHash('sha256').update(nameReply.parse(names)[0].name).digest('hex');
  const lock = `dist_crawl_migrate:${digest.slice(0, 32)}`;
  for (;;) {
    signal?.throwIfAborted();
    const [rows] = await session.execute(sql`select get_lock(${lock}, ${LOCK_WAIT_SECONDS}) as taken`);
    if (lockReply.parse(rows)[0].taken === 1) return lock;
  }
}

async function readStatements(folder: URL): Promise<Statement[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const parts = files.map(async (file) => {
    const text = await readFile(new URL(file, folder), 'utf8');
    const migration = file.replace(/\.sql$/, '');
    return text
      .split(BREAKPOINT)
      .map((part, index) => ({ migration, ordinal: index + 1, text: part.trim() }))
      .filter((statement) => statement.text !== '');
  });
  return (await Promise.all(parts)).flat();
}
