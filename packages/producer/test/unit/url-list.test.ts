import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_LINE, splitLines } from '../../src/sources/lines.js';
import { stdinSource } from '../../src/sources/url-list.js';
import { type Shard, WHOLE } from '../../src/shard.js';
import { collect } from './collect.js';

const { signal } = new AbortController();

async function listed(text: string | Buffer[], shard: Shard = WHOLE) {
  const stdin = Readable.from(typeof text === 'string' ? [Buffer.from(text)] : text, { objectMode: false });
  return await collect(stdinSource(shard, stdin).candidates(signal));
}

async function* pieces(parts: readonly string[]) {
  yield* parts;
}

describe('a list of URLs', () => {
  test('blank lines and comments are no candidates, but count as lines', async () => {
    expect(await listed('# shops\n\nhttp://a/#top\r\n   \n  # more\n  http://b/  \nhttp://c/')).toEqual([
      { text: 'http://a/#top', line: 3 },
      { text: 'http://b/', line: 6 },
      { text: 'http://c/', line: 7 },
    ]);
  });

  test('a byte order mark belongs to no URL, and characters may be split between pieces', async () => {
    const bytes = Buffer.from('\uFEFFhttp://a/é\n');
    expect(await listed([bytes.subarray(0, 13), bytes.subarray(13)])).toEqual([{ text: 'http://a/é', line: 1 }]);
  });

  test('shards go by line, and have each URL once', async () => {
    const text = Array.from({ length: 10 }, (_, index) => `http://a/${index}`).join('\n');
    const shards = await Promise.all([1, 2, 3].map((index) => listed(text, { index, count: 3 })));
    const lines = shards.flat().map(({ line }) => line);
    expect(lines.toSorted((a = 0, b = 0) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(shards[0]?.map(({ line }) => line)).toEqual([1, 4, 7, 10]);
  });

  test('an endless stdin is let go when the round is stopped', async () => {
    const stop = new AbortController();
    const stdin = new Readable({ read: () => undefined });
    const reading = collect(stdinSource(WHOLE, stdin).candidates(stop.signal));
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('splitLines', () => {
  test('gives what split() gives, however the text is cut into pieces', async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é'), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (parts) => {
        const whole = parts.join('').split(/\r?\n/u);
        if (whole.at(-1) === '') whole.pop();
        expect(await collect(splitLines(pieces(parts)))).toEqual(whole);
      }),
    );
  });

  test('a line without end is cut, not kept in memory', async () => {
    const long = 'x'.repeat(LONGEST_LINE - 1);
    const lines = await collect(splitLines(pieces([long, long, long, 'y\nshort\n'])));
    expect(lines.map((line) => line.length)).toEqual([LONGEST_LINE, 5]);
  });
});
