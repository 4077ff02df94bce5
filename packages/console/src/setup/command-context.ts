import type { Terminal } from '../terminal/terminal.js';

/** What every command is given. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Ends the process with this code once the command returns; without it 0. */
  readonly exitWith: (code: number) => void;
}
