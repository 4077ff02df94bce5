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

/** Lines must be no wider than the terminal: a wrapped one would shift what is drawn next. */
export function createLiveBlock(terminal: Terminal): LiveBlock {
  let drawn = 0;
  return {
    draw(lines) {
      const text = lines.map((line) => `${line}${CLEAR_LINE}\n`).join('');
      terminal.write(`${up(drawn)}\r${text}${CLEAR_TO_END}`);
      drawn = lines.length;
    },
    leave() {
      drawn = 0;
    },
  };
}
