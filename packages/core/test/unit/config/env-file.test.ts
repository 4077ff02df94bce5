import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvFile } from '../../../src/config/env-file.js';
import { folderWith } from './folder.js';

const known = new Set(['REDIS_URL', 'LOG_LEVEL']);

test('a missing file says nothing', () => {
  expect(readEnvFile(folderWith(), known)).toEqual({ values: {}, lines: new Map(), problems: [] });
});

test('reads quotes, comments, export, a byte order mark and Windows line ends', () => {
  const text = '\uFEFFA=1\r\n# no\r\nexport B="x # y" # z\r\nC=\r\n  D = q \r\nLOG_LEVEL: warn\r\n';
  const { values, lines, problems } = readEnvFile(folderWith({ '.env': text }), known);
  expect(values).toEqual({ A: '1', B: 'x # y', C: '', D: 'q', LOG_LEVEL: 'warn' });
  expect(Object.fromEntries(lines)).toEqual({ A: 1, B: 3, C: 4, D: 5, LOG_LEVEL: 6 });
  expect(problems).toEqual([]);
});

test('of two lines with one name the last counts', () => {
  const { values, lines } = readEnvFile(folderWith({ '.env': 'A=1\nA=2\n' }), known);
  expect([values['A'], lines.get('A')]).toEqual(['2', 2]);
});

test('a setting without = is a problem, and does not swallow the next line', () => {
  const { values, problems } = readEnvFile(folderWith({ '.env': 'REDIS_URL redis://h\nLOG_LEVEL=warn\n' }), known);
  expect(values).toEqual({ LOG_LEVEL: 'warn' });
  expect(problems).toEqual([
    { where: 'REDIS_URL in .env:1', what: 'no = after the name', expected: 'REDIS_URL=value' },
  ]);
});

test('a file that cannot be read is a problem', () => {
  const home = folderWith();
  mkdirSync(join(home, '.env'));
  expect(readEnvFile(home, known).problems).toEqual([
    { where: join(home, '.env'), what: 'cannot be read (EISDIR)', expected: 'a readable file' },
  ]);
});
