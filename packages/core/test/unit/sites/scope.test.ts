import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inScope, matchesPattern } from '../../../src/sites/index.js';

describe('a URL pattern', () => {
  it.each([
    ['/goods/*', 'https://a.example/goods/12', true],
    ['/goods/*', 'https://a.example/goods/12?ref=home', true],
    ['/goods/*', 'https://a.example/goods/12/reviews', false],
    ['/goods/**', 'https://a.example/goods/12/reviews', true],
    ['/goods/*', 'https://a.example/cat/goods/12', false],
    ['/list?page=*', 'https://a.example/list?page=3', true],
    ['/list?page=*', 'https://a.example/list?page=a/b', true],
    ['/list?page=*', 'https://a.example/list', false],
    ['/list', 'https://a.example/list?page=3', true],
    ['/list', 'https://a.example/list/', false],
    ['/', 'https://a.example', true],
    ['/*.html', 'https://a.example/x.html', true],
    ['/a.b', 'https://a.example/axb', false],
    ['https://a.example/**', 'https://a.example/x/y', true],
    ['https://a.example/**', 'https://b.example/x/y', false],
  ])('%s covers %s: %s', (pattern, url, covers) => {
    expect(matchesPattern(pattern, url)).toBe(covers);
  });

  it('means the same as the regular expression that it stands for', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '/', '*', '**'), { maxLength: 10 });
    const text = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 14 });
    fc.assert(
      fc.property(letters, text, (parts, path) => {
        const pattern = `/${parts.join('')}`;
        // as the pattern is read: from the left, two stars before one
        const source = pattern.replace(/\*\*|\*/g, (star) => (star === '**' ? '.*' : '[^/]*'));
        const url = `/${path.join('')}`;
        expect(matchesPattern(pattern, `http://h.example${url}`)).toBe(new RegExp(`^${source}$`).test(url));
      }),
    );
  });

  it('takes little time for any URL', () => {
    const started = performance.now();
    expect(matchesPattern(`/${'**a'.repeat(30)}b`, `http://h.example/${'a'.repeat(2000)}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('scope', () => {
  const site = (scope: Partial<Parameters<typeof inScope>[0]['scope']>): Parameters<typeof inScope>[0] => ({
    scope: { hosts: ['a.example', '*.b.example', 'c.example:8080'], include: [], exclude: [], ...scope },
  });

  it.each([
    ['http://a.example/', true],
    ['https://A.EXAMPLE/x', true],
    ['https://a.example:444/', false],
    ['https://www.a.example/', false],
    ['https://shop.b.example/', true],
    ['https://b.example/', false],
    ['https://evilb.example/', false],
    ['http://c.example:8080/', true],
    ['http://c.example/', false],
    ['ftp://a.example/', false],
    ['nonsense', false],
  ])('of hosts alone has %s: %s', (url, inside) => {
    expect(inScope(site({}), url)).toBe(inside);
  });

  it('is narrowed by patterns, and exclude wins', () => {
    const narrow = site({ include: ['/goods/**'], exclude: ['/goods/old/**'] });
    expect(inScope(narrow, 'http://a.example/goods/1')).toBe(true);
    expect(inScope(narrow, 'http://a.example/about')).toBe(false);
    expect(inScope(narrow, 'http://a.example/goods/old/1')).toBe(false);
  });
});
