import { expect, test } from 'vitest';
import { createLiveBlock } from '../../src/terminal/live.js';

/** What a screen shows after the text: as much of a terminal as the block uses; `~` stands for the start of a sequence. */
function screen(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [part] of text.replaceAll('\u001B[', '~').matchAll(/~\d*[AJK]|[\r\n]|[^~\r\n]+/gu)) {
    const up = /^~(\d+)A$/u.exec(part)?.[1];
    if (up !== undefined) row -= Number(up);
    else if (part === '~J') lines.length = row;
    else if (part === '\n') row += 1;
    else if (!part.startsWith('~') && part !== '\r') lines[row] = part;
  }
  return lines;
}

test('a block is drawn over itself, also where it gets shorter, and what is left stays', () => {
  let text = '';
  const live = createLiveBlock({ write: (part) => (text += part), rows: 24 });
  live.draw(['a', 'b', 'c']);
  expect(screen(text)).toEqual(['a', 'b', 'c']);
  live.draw(['d', 'e']);
  expect(screen(text)).toEqual(['d', 'e']);
  live.leave();
  live.draw(['f']);
  expect(screen(text)).toEqual(['d', 'e', 'f']);
});

test('a block that is higher than the screen is cut, as the cursor can not go above it', () => {
  let text = '';
  const live = createLiveBlock({ write: (part) => (text += part), rows: 4 });
  live.draw(['1', '2', '3', '4', '5']);
  live.draw(['6', '7', '8', '9', '10']);
  expect(screen(text)).toEqual(['6', '7', '8']);
});
