import { sql, type SQL } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import { z } from 'zod';
import type { Session } from './session-pool.js';

/** What a multi-row upsert did. */
export interface RowCounts {
  readonly inserted: number;
  /** Rows that were there and changed. */
  readonly updated: number;
  /** Rows that were there as they are, or newer. */
  readonly unchanged: number;
}

export interface UpsertRule {
  /** Column whose greater value wins. */
  readonly newest: MySqlColumn;
  /** Column that keeps its smallest value. */
  readonly earliest: MySqlColumn;
  /** Columns taken from the newer row. */
  readonly replaced: readonly MySqlColumn[];
  /** Columns that become NULL when a newer row comes. */
  readonly cleared?: readonly MySqlColumn[];
}

/**
 * The `ON DUPLICATE KEY UPDATE` clause by which an older row never overwrites a newer one. Servers assign from left to
 * right and a later expression sees what an earlier one set, so the time that all others compare with comes last.
 * `VALUES(column)` is the form that MySQL and MariaDB both know.
 */
export function newestWins({ newest, earliest, replaced, cleared = [] }: UpsertRule): SQL {
  const name = (column: MySqlColumn) => sql.identifier(column.name);
  const isNewer = sql`values(${name(newest)}) >= ${name(newest)}`;
  const assignments = [
    ...replaced.map((column) => sql`${name(column)} = if(${isNewer}, values(${name(column)}), ${name(column)})`),
    ...cleared.map((column) => sql`${name(column)} = if(${isNewer}, null, ${name(column)})`),
    sql`${name(earliest)} = least(${name(earliest)}, values(${name(earliest)}))`,
    sql`${name(newest)} = greatest(${name(newest)}, values(${name(newest)}))`,
  ];
  return sql` on duplicate key update ${sql.join(assignments, sql`, `)}`;
}

const upsertReply = z.object({ affectedRows: z.number(), info: z.string() });

/** Runs an INSERT of `rows` rows with an upsert clause, and tells what became of them. */
export async function upsert(session: Session, insert: SQL, clause: SQL, rows: number): Promise<RowCounts> {
  const [reply] = await session.execute(sql`${insert}${clause}`);
  const { affectedRows, info } = upsertReply.parse(reply);
  return countsOf(rows, affectedRows, info);
}

/**
 * Reads the reply of an upsert on a connection without FOUND_ROWS: an inserted row counts 1, a changed one 2, one
 * left as it was 0. With several rows the server also tells the changed ones: "Records: 3  Duplicates: 1  Warnings: 0".
 */
export function countsOf(rows: number, affectedRows: number, info: string): RowCounts {
  const [, duplicates] = (info.match(/\d+/g) ?? []).map(Number);
  const updated = rows === 1 || duplicates === undefined ? Number(affectedRows === 2) : duplicates;
  const inserted = affectedRows - 2 * updated;
  return { inserted, updated, unchanged: rows - inserted - updated };
}

export function addCounts(a: RowCounts, b: RowCounts): RowCounts {
  return {
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
  };
}

export const NO_ROWS: RowCounts = { inserted: 0, updated: 0, unchanged: 0 };
