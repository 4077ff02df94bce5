import { expect, test } from 'vitest';
import { plural, showBytes, showCount, showDuration, showProbability, showRate } from '../../src/terminal/figures.js';

test('counts are written out until they are too long for a column', () => {
  expect([0, 999, 1861, 9_999_999, 12_345_678, 2_500_000_000].map(showCount)).toEqual([
    '0',
    '999',
    '1,861',
    '9,999,999',
    '12.3M',
    '2.5B',
  ]);
});

test('a count and its noun agree', () => {
  expect([plural(1, 'page'), plural(0, 'page'), plural(2, 'copy', 'copies')]).toEqual([
    '1 page',
    '0 pages',
    '2 copies',
  ]);
});

test('rates are as exact as they are worth', () => {
  expect([0, 0.016, 0.5, 18.46, 20, 99.96, 240.4, 1234].map(showRate)).toEqual([
    '0',
    '0.02',
    '0.50',
    '18.5',
    '20',
    '100',
    '240',
    '1,234',
  ]);
});

test('durations have two units at most, and none is zero', () => {
  expect([0, 400, 59_400, 60_000, 125_000, 3_600_000, 4_200_000, 86_400_000, 100_000_000].map(showDuration)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '2 min 5 s',
    '1 h',
    '1 h 10 min',
    '1 d',
    '1 d 3 h',
  ]);
});

test('bytes and probabilities', () => {
  expect([showBytes(999), showBytes(45_230), showBytes(1_300_000)]).toEqual(['999 B', '45.2 kB', '1.3 MB']);
  expect([showProbability(0), showProbability(1.234e-9)]).toEqual(['0', '1.2e-9']);
});
