import { expect, test } from 'vitest';
import { HelpRequested } from '../../../src/config/index.js';
import { ConfigError, UnavailableError } from '../../../src/errors/index.js';
import { farewell } from '../../../src/runtime/report-error.js';

test('a ConfigError is a list of places, without a stack, with code 78', () => {
  const error = new ConfigError([
    { where: 'PROCESS_NUM in .env:3', what: "'x' is not a whole number", expected: 'a whole number from 1 to 512' },
    { where: '--pages', what: 'no value', expected: '--pages <ranges>' },
  ]);
  expect(farewell(error)).toEqual({
    stream: 'stderr',
    code: 78,
    text: `2 settings are wrong; nothing was started.

  PROCESS_NUM in .env:3: 'x' is not a whole number
    expected a whole number from 1 to 512

  --pages: no value
    expected --pages <ranges>
`,
  });
});

test('an UnavailableError is one line, with code 69', () => {
  const error = new UnavailableError('Redis', '127.0.0.1:6379', new Error('connect ECONNREFUSED redis://:geheim@h'));
  expect(farewell(error)).toEqual({
    stream: 'stderr',
    code: 69,
    text: 'Redis at 127.0.0.1:6379 does not answer: connect ECONNREFUSED redis://:***@h\n',
  });
});

test('help goes to stdout, with code 0', () => {
  expect(farewell(new HelpRequested('Usage: …\n'))).toEqual({ stream: 'stdout', code: 0, text: 'Usage: …\n' });
});

test('what nobody expected shows its stack and its causes, with code 1', () => {
  const { text, code } = farewell(new Error('outer', { cause: new Error('inner') }));
  expect(code).toBe(1);
  expect(text).toMatch(/Error: outer\n\s+at .*cause.*Error: inner/su);
});
