import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { isIn, type Shard } from '../shard.js';
import { splitLines } from './lines.js';
import type { Source } from './source.js';

/** The URLs of a file, one a line. It is read anew for each pass, piece by piece. */
export function urlListSource(path: string, shard: Shard): Source {
  return listSource(basename(path), () => createReadStream(path), shard);
}

/** The URLs that stdin brings. It can be read once only. */
export function stdinSource(shard: Shard, stdin: Readable = process.stdin): Source {
  return listSource('stdin', () => stdin, shard);
}

/** Blank lines, and those whose first character is `#`, are no candidates. Shards go by the number of the line. */
function listSource(name: string, open: () => Readable, shard: Shard): Source {
  return {
    name,
    total: undefined,
    async *candidates(signal) {
      const stream: AsyncIterable<string> = addAbortSignal(signal, open()).setEncoding('utf8');
      let line = 0;
      for await (const written of splitLines(stream)) {
        line += 1;
        if (!isIn(shard, line)) continue;
        const text = (line === 1 ? written.replace(/^\uFEFF/u, '') : written).trim();
        if (text !== '' && !text.startsWith('#')) yield { text, line };
      }
    },
  };
}
