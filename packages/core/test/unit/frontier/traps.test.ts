import { describe, expect, it } from 'vitest';
import { pathRepeats } from '../../../src/frontier/traps.js';

const repeats = (path: string, times = 3): boolean => pathRepeats(`https://shop.example${path}`, times);

describe('a path that repeats itself', () => {
  it.each([
    ['/a/b/a/b/a/b', true],
    ['/a/b/a/b/a/b/', true],
    ['/x/a/b/a/b/a/b/y.html', true],
    ['/tea/tea/tea', true],
    ['/a/b/c/a/b/c/a/b/c', true],
    ['/a/b/a/b/a/c', false],
    ['/a/b/a/b', false],
    ['/a/a/b/a/a', false],
    ['/a/b/c/a/x/b/a', false],
    ['/a//a//a', true],
    ['/', false],
    ['/a?b=/a/a/a/a', false],
  ])('%s: %s', (path, answer) => {
    expect(repeats(path)).toBe(answer);
  });

  it('may be a date or a code: numbers alone are no trap', () => {
    expect(repeats('/archive/1/1/1')).toBe(false);
    expect(repeats('/2022/22/22/22/22')).toBe(false);
    expect(repeats('/p/1/2/1/2/1/2')).toBe(false);
    expect(repeats('/p/1/a/1/a/1/a')).toBe(true);
  });

  it('ends as often as the site says', () => {
    expect(repeats('/a/b/a/b', 2)).toBe(true);
    expect(repeats('/a/b/a/b/a/b', 4)).toBe(false);
    expect(repeats('/a/b/a/b/a/b/a/b', 4)).toBe(true);
  });

  it('is found soon in the longest of URLs', () => {
    const long = `/${Array.from({ length: 500 }, (_, index) => (index % 7) + 'ab').join('/')}x`;
    const begun = performance.now();
    for (let i = 0; i < 100; i += 1) repeats(long, 100);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
