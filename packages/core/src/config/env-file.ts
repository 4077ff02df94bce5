import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import type { ConfigProblem } from '../errors/index.js';
import type { Env } from './process-env.js';

/** What `<home>/.env` says. A missing file says nothing. */
export interface EnvFile {
  readonly values: Env;
  /** The line (from 1) on which a name gets its value. */
  readonly lines: ReadonlyMap<string, number>;
  readonly problems: readonly ConfigProblem[];
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)/u;
const almostAssignment = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]+)(?:\s+\S|\s*:|\s*$)/u;

/**
 * Reads `.env` with dotenv, and remembers the lines for messages. (Node's own parser lets a line without `=` swallow the
 * next one, with no word.)
 *
 * @param known names of settings; a line that starts with one, but has no `=`, is a problem rather than silence.
 */
export function readEnvFile(home: string, known: ReadonlySet<string>): EnvFile {
  const read = readText(join(home, '.env'));
  if (typeof read !== 'string') return { values: {}, lines: new Map(), problems: read };
  const text = read.replace(/^\uFEFF/u, ''); // some Windows editors put a byte order mark, which would belong to a name
  const lines = new Map<string, number>();
  const problems: ConfigProblem[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const name = assignment.exec(line)?.[1];
    if (name !== undefined) {
      lines.set(name, index + 1);
      continue;
    }
    const almost = almostAssignment.exec(line)?.[1];
    if (almost !== undefined && known.has(almost)) {
      problems.push({
        where: `${almost} in .env:${index + 1}`,
        what: 'no = after the name',
        expected: `${almost}=value`,
      });
    }
  }
  return { values: parse(text), lines, problems };
}

function readText(path: string): string | ConfigProblem[] {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' ? [] : [{ where: path, what: `cannot be read (${code})`, expected: 'a readable file' }];
  }
}
