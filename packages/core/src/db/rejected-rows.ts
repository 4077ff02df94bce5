import { LENGTH, rejectedRows } from './schema.js';
import type { Session } from './session-pool.js';

/** A row that was set aside. */
export interface RejectedRow {
  readonly site: string;
  readonly pageUrl: string;
  readonly node: string;
  /** What should have been saved. */
  readonly row: unknown;
  /** The server's error number; 0 where the row was refused before it was sent. */
  readonly errorCode: number;
  readonly reason: string;
}

const MAX_ROW_CHARACTERS = 100_000;
const ROWS_PER_STATEMENT = 50;

/** Records rows that could not be saved, inside the transaction that saves the others. */
export async function insertRejectedRows(session: Session, rows: readonly RejectedRow[]): Promise<void> {
  const rejectedAt = new Date();
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT);
    await session.insert(rejectedRows).values(
      part.map(({ site, pageUrl, node, row, errorCode, reason }) => ({
        site: site.slice(0, LENGTH.site),
        pageUrl: pageUrl.slice(0, LENGTH.url),
        row: jsonOf(row),
        errorCode,
        reason: reason.slice(0, LENGTH.message),
        sourceNode: node.slice(0, LENGTH.node),
        rejectedAt,
      })),
    );
  }
}

/** Always JSON, whatever is wrong with the row: too large a one is cut, one that has no JSON form is described. */
function jsonOf(row: unknown): string {
  try {
    const text = JSON.stringify(row);
    if (text.length <= MAX_ROW_CHARACTERS) return text;
    return JSON.stringify({ cut_after: MAX_ROW_CHARACTERS, text: text.slice(0, MAX_ROW_CHARACTERS) });
  } catch (error) {
    return JSON.stringify({ no_json: String(error) });
  }
}
