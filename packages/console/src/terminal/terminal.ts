/** Where a command writes, and what it knows of the place. Results go to stdout; notes on the way to stderr. */
export interface Terminal {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A line that is not part of the result. */
  readonly note: (line: string) => void;
  /** Text without a line end: for a display that is drawn again in its place. */
  readonly write: (text: string) => void;
  /** Whether a person watches stdout, so that a display may be drawn again in its place. */
  readonly interactive: boolean;
  /** Characters that fit into a line; 80 where nobody knows. */
  readonly columns: number;
  /** Lines that fit onto the screen; infinite where there is no screen. */
  readonly rows: number;
}

const DEFAULT_COLUMNS = 80;

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    write: (text) => void process.stdout.write(text),
    interactive: process.stdout.isTTY,
    get columns() {
      return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : DEFAULT_COLUMNS;
    },
    get rows() {
      return process.stdout.isTTY && process.stdout.rows > 0 ? process.stdout.rows : Number.POSITIVE_INFINITY;
    },
  };
}
