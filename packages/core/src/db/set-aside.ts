import { causeOf, classify, errorNumberOf } from './classify.js';
import { addCounts, NO_ROWS, type RowCounts } from './upsert.js';

/** A row that can't be saved, and why. */
export interface Refusal<Row> {
  readonly row: Row;
  /** The server's error number; 0 where the row was not sent. */
  readonly errorCode: number;
  readonly reason: string;
}

export interface SetAside<Row> {
  readonly counts: RowCounts;
  readonly refused: readonly Refusal<Row>[];
}

const MAX_STATEMENT_ROWS = 500;
/** Far below the smallest default of max_allowed_packet (16 MiB), also when every character needs an escape. */
const MAX_STATEMENT_BYTES = 1024 * 1024;

/**
 * Saves rows in statements of bounded size. A statement that the server refuses for its data is halved until the row
 * at fault stands alone; that row is returned with the reason, all others are saved. Inside a transaction a refused
 * statement undoes only itself. Errors of any other kind are thrown.
 */
export async function insertSettingAside<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
  insert: (rows: readonly Row[]) => Promise<RowCounts>,
): Promise<SetAside<Row>> {
  let counts = NO_ROWS;
  const refused: Refusal<Row>[] = [];

  async function attempt(part: readonly Row[]): Promise<void> {
    const [first] = part;
    if (first === undefined) return;
    try {
      counts = addCounts(counts, await insert(part));
    } catch (error) {
      if (classify(error) !== 'data') throw error;
      if (part.length === 1) {
        refused.push({ row: first, errorCode: errorNumberOf(error), reason: reasonOf(error) });
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await attempt(part.slice(0, middle));
      await attempt(part.slice(middle));
    }
  }

  const fitting: Row[] = [];
  for (const row of rows) {
    if (row.bytes <= MAX_STATEMENT_BYTES) fitting.push(row);
    else
      refused.push({ row, errorCode: 0, reason: `the row has ${row.bytes} bytes, more than ${MAX_STATEMENT_BYTES}` });
  }
  for (const statement of statementsOf(fitting)) await attempt(statement);
  return { counts, refused };
}

function* statementsOf<Row extends { readonly bytes: number }>(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (part.length > 0 && (part.length >= MAX_STATEMENT_ROWS || bytes + row.bytes > MAX_STATEMENT_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += row.bytes;
  }
  if (part.length > 0) yield part;
}

function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}
