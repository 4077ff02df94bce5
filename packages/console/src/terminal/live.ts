import type { Terminal } from './terminal.js';

const CLEAR_TO_END = '\u001B[J';
const CLEAR_LINE = '\u001B[K';
const up = (lines: number): string => (lines === 0 ? '' : `\u001B[${lines}A`);

/** A few lines that are drawn again in their place. */
export interface LiveBlock {
  draw(lines: readonly string[]): void;
  /** What was drawn last stays; the next text goes below it. */
  leave(): void;
}

/** Lines must be no wider than the terminal: a wrapped one would shift what is drawn next. What is below the screen is left out. */
export function createLiveBlock(terminal: Pick<Terminal, 'write' | 'rows'>): LiveBlock {
  let drawn = 0;
  return {
    draw(lines) {
      // The cursor can't go up beyond the screen; one line is for the cursor itself.
      const shown = lines.slice(0, Math.max(1, terminal.rows - 1));
      const text = shown.map((line) => `${line}${CLEAR_LINE}\n`).join('');
      terminal.write(`${up(drawn)}\r${text}${CLEAR_TO_END}`);
      drawn = shown.length;
    },
    leave() {
      drawn = 0;
    },
  };
}
