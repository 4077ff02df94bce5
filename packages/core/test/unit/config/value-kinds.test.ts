import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cron,
  duration,
  names,
  oneOf,
  serverUrl,
  type ValueKind,
  wholeNumber,
} from '../../../src/config/value-kinds.js';

function read<T>(kind: ValueKind<T>, text: string): T | { wrong: string | undefined } {
  const result = kind.schema.safeParse(text);
  return result.success ? result.data : { wrong: result.error.issues[0]?.message };
}

describe('duration', () => {
  test.each([
    ['500ms', 500],
    ['20s', 20_000],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['2 h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(read(duration(0), text)).toBe(ms);
  });

  test.each([
    ['20', "'20' has no unit"],
    ['20 sec', "'20 sec' is not a duration"],
    ['-5s', "'-5s' is not a duration"],
    ['99d', "'99d' is out of range"],
  ])('%s is refused: %s', (text, wrong) => {
    expect(read(duration(0), text)).toEqual({ wrong });
  });

  test('says its limits', () => {
    expect(duration(1000, 3_600_000).expected).toContain('1s to 1h');
    expect(duration(1500).expected).toContain('at least 1500ms');
  });
});

describe('wholeNumber', () => {
  test('takes exactly the whole numbers between its limits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 150 }), (value) => {
        const inside = value >= 0 && value <= 100;
        expect(read(wholeNumber(0, 100), String(value))).toEqual(
          inside ? value : { wrong: `${value} is out of range` },
        );
      }),
    );
  });

  test.each(['x', '1.5', '1e3', '0x10', '٣'])('%s is not a whole number', (text) => {
    expect(read(wholeNumber(0, 9999), text)).toEqual({ wrong: `'${text}' is not a whole number` });
  });
});

test('names are separated by commas, none of them empty', () => {
  expect(read(names(), 'a, b,c')).toEqual(['a', 'b', 'c']);
  expect(read(names(), 'a,,b')).toEqual({ wrong: 'an empty name' });
});

test('oneOf names the choices', () => {
  expect(oneOf(['a', 'b']).expected).toBe('one of a, b');
  expect(read(oneOf(['a', 'b']), 'c')).toEqual({ wrong: "'c' is none of them" });
});

test.each([
  ['*/30 * * * *', true],
  ['0 3 1 * *', true],
  ['0 0 3 1 JAN-MAR MON', true],
  ['* * * *', false],
  ['daily', false],
])('cron %s: %s', (text, right) => {
  expect(cron().schema.safeParse(text).success).toBe(right);
});

describe('serverUrl', () => {
  const mysql = serverUrl('…', ['mysql', 'mariadb'], true);

  test.each(['mysql://u:p@h:3306/db', 'mariadb://h/db', 'mysql://[::1]:3306/db'])('takes %s', (url) => {
    expect(read(mysql, url)).toBe(url);
  });

  test.each([
    ['http://h/db', 'http:// is not mysql:// or mariadb://'],
    ['mysql://u:geheim@h:3306', 'no database name in mysql://u:***@h:3306'],
    ['geheim', 'not a URL'],
    ['mysql:h', 'no :// after mysql'],
    ['mysql:///db', 'no host in mysql:///db'],
  ])('refuses %s without showing a password', (url, wrong) => {
    expect(read(mysql, url)).toEqual({ wrong });
  });
});
