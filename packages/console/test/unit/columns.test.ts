import stringWidth from 'string-width';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, entry, oneLine, pad, table, wrap } from '../../src/terminal/columns.js';

test('a text is cut to the columns it takes on a terminal, Chinese characters taking two', () => {
  expect(cut('abcdef', 6)).toBe('abcdef');
  expect(cut('abcdefg', 6)).toBe('abcde…');
  expect(cut('全部商品列表', 7)).toBe('全部商…');
  expect(cut('a   b', 20)).toBe('a   b');
});

test('whatever the text, what is cut fits, and what fits is not cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      const shown = cut(text, width);
      expect(stringWidth(shown)).toBeLessThanOrEqual(width);
    }),
  );
});

test('columns are aligned by what is seen, and the stretching one takes what is left', () => {
  const lines = table(
    [{ title: 'name' }, { title: 'price', align: 'right' }, { title: 'url', stretches: true }],
    [
      ['全部', '9.90', 'http://shop.example/goods/1'],
      ['tea', '10,000', 'http://shop.example/goods/2'],
    ],
    30,
  );
  expect(lines).toEqual(['name   price  url', '全部    9.90  http://shop.exa…', 'tea   10,000  http://shop.exa…']);
  expect(lines.map((line) => stringWidth(line)).every((width) => width <= 30)).toBe(true);
});

test('a table without rows is nothing', () => {
  expect(table([{ title: 'name' }], [], 80)).toEqual([]);
});

test('texts are wrapped between words, under themselves', () => {
  expect(entry('  state', 'no consumer is at work on this site now', { labelWidth: 10, width: 34 })).toEqual([
    '  state   no consumer is at work',
    '          on this site now',
  ]);
  expect(wrap('short http://a-word-that-is-too-long.example end', 10)).toEqual([
    'short',
    'http://a-word-that-is-too-long.example',
    'end',
  ]);
  expect(pad('全', 4)).toBe('全  ');
});

test('what comes from a page can not steer the terminal', () => {
  expect(oneLine(' red \u001B[31malert\u0007\r\n\tnext ')).toBe('red [31malert next');
  expect(cut('\u001B[2J', 10)).toBe(' [2J');
  expect(table([{ title: 'name' }], [['a\u001B[1m\nb']], 80)).toEqual(['name', 'a [1m b']);
  expect(wrap('a\u001Bc b', 10)).toEqual(['a c b']);
});
