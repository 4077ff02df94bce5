import { and, asc, count, eq, gt, inArray } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import { byKey, urlHashOf } from './row-key.js';
import { deadUrls, LENGTH } from './schema.js';
import { newestWins, upsert } from './upsert.js';

/** A URL that was given up, and why. */
export interface DeadUrl {
  readonly site: string;
  readonly url: string;
  /** Kind of the last failure. */
  readonly kind: string;
  readonly lastError: string;
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  readonly failures: number;
  readonly firstFailure: Date;
  readonly lastFailure: Date;
  /** The node that saw the last failure. */
  readonly node: string;
}

export interface ListedDeadUrl extends DeadUrl {
  readonly id: number;
}

export interface DeadFilter {
  /** Default: all sites. */
  readonly site?: string | undefined;
  readonly kind?: string | undefined;
  /** Default: all. */
  readonly urls?: readonly string[] | undefined;
}

const ROWS_PER_STATEMENT = 500;
const CLAUSE = newestWins({
  newest: deadUrls.lastFailure,
  earliest: deadUrls.firstFailure,
  replaced: [deadUrls.kind, deadUrls.lastError, deadUrls.status, deadUrls.failures, deadUrls.sourceNode],
});

/** Records URLs as dead in one transaction; saying it again changes nothing. Texts that are too long are cut. */
export async function saveDead(database: Database, dead: readonly DeadUrl[], options: CallOptions = {}): Promise<void> {
  const rows = dead.map((row) => ({ site: row.site, key: urlHashOf(row.url), row })).sort(byKey);
  await database.transaction(async (session) => {
    for (const part of parts(rows)) {
      const insert = session.insert(deadUrls).values(
        part.map(({ site, key, row }) => ({
          site,
          urlHash: key,
          url: row.url,
          kind: row.kind.slice(0, LENGTH.kind),
          lastError: row.lastError.slice(0, LENGTH.message),
          status: row.status,
          failures: row.failures,
          firstFailure: row.firstFailure,
          lastFailure: row.lastFailure,
          sourceNode: row.node.slice(0, LENGTH.node),
        })),
      );
      await upsert(session, insert.getSQL(), CLAUSE, part.length);
    }
  }, options);
}

/** Dead URLs by id, `limit` at a time: `after` is the id of the last one of the call before. */
export async function listDead(
  database: Database,
  { limit, after = 0, ...filter }: DeadFilter & { readonly limit: number; readonly after?: number | undefined },
  options: CallOptions = {},
): Promise<ListedDeadUrl[]> {
  return await database.run(
    async (session) =>
      await session
        .select({
          id: deadUrls.id,
          site: deadUrls.site,
          url: deadUrls.url,
          kind: deadUrls.kind,
          lastError: deadUrls.lastError,
          status: deadUrls.status,
          failures: deadUrls.failures,
          firstFailure: deadUrls.firstFailure,
          lastFailure: deadUrls.lastFailure,
          node: deadUrls.sourceNode,
        })
        .from(deadUrls)
        .where(and(gt(deadUrls.id, after), matching(filter)))
        .orderBy(asc(deadUrls.id))
        .limit(limit),
    options,
  );
}

/** How many URLs are dead, by kind. */
export async function countDead(
  database: Database,
  filter: DeadFilter = {},
  options: CallOptions = {},
): Promise<{ total: number; byKind: Record<string, number> }> {
  const rows = await database.run(
    async (session) =>
      await session
        .select({ kind: deadUrls.kind, count: count() })
        .from(deadUrls)
        .where(matching(filter))
        .groupBy(deadUrls.kind),
    options,
  );
  const byKind = Object.fromEntries(rows.map((row) => [row.kind, row.count]));
  return { total: rows.reduce((sum, row) => sum + row.count, 0), byKind };
}

/**
 * Takes back dead letters whose URLs are alive, as when they are queued again. A letter that somebody wrote since they were read,
 * about a later failure, stays. Returns how many were taken back.
 */
export async function withdrawDead(
  database: Database,
  dead: readonly Pick<DeadUrl, 'site' | 'url' | 'lastFailure'>[],
  options: CallOptions = {},
): Promise<number> {
  const rows = dead.map((row) => ({ site: row.site, key: urlHashOf(row.url), row })).sort(byKey);
  return await database.transaction(async (session) => {
    let deleted = 0;
    for (const { site, key, row } of rows) {
      const [reply] = await session
        .delete(deadUrls)
        .where(and(eq(deadUrls.site, site), eq(deadUrls.urlHash, key), eq(deadUrls.lastFailure, row.lastFailure)));
      deleted += reply.affectedRows;
    }
    return deleted;
  }, options);
}

function matching({ site, kind, urls }: DeadFilter) {
  return and(
    site === undefined ? undefined : eq(deadUrls.site, site),
    kind === undefined ? undefined : eq(deadUrls.kind, kind),
    urls === undefined ? undefined : inArray(deadUrls.urlHash, urls.map(urlHashOf)),
  );
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    yield rows.slice(start, start + ROWS_PER_STATEMENT);
  }
}
