import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize, hashUrl, MAX_URL_BYTES, parseUrl } from '../../src/url/index.js';

const same: [string, string][] = [
  ['HTTP://Market.Example:80/kettles', 'http://market.example/kettles'],
  ['https://market.example:443', 'https://market.example/'],
  ['https://market.example/k#reviews', 'https://market.example/k'],
  ['https://market.example/k?', 'https://market.example/k'],
  ['https://market.example/k?utm_id=3&page=2&gclid=x', 'https://market.example/k?page=2'],
  ['https://market.example/k?u%74m_source=3', 'https://market.example/k'],
  ['https://market.example/%7Eanna/%c3%a9', 'https://market.example/~anna/%C3%A9'],
  ['https://market.example/x/../é', 'https://market.example/%C3%A9'],
];

const different: [string, string][] = [
  ['https://market.example/k?utm=1', 'https://market.example/k'],
  ['https://market.example/k?q=a%2Bb', 'https://market.example/k?q=a+b'],
  ['https://market.example/k%2Fl', 'https://market.example/k/l'],
  ['https://market.example/k?a=1&b=2', 'https://market.example/k?b=2&a=1'],
  ['https://market.example/%%341', 'https://market.example/A'],
];

describe('the canonical form of a URL', () => {
  it.each(same)('takes %s and %s for one page', (left, right) => {
    expect(canonicalize(left)).toBe(canonicalize(right));
  });

  it.each(different)('takes %s and %s for two pages', (left, right) => {
    expect(canonicalize(left)).not.toBe(canonicalize(right));
  });

  it('resolves against a base', () => {
    expect(canonicalize('../p/7?spm=a.b', { base: 'https://market.example/list/tea/' })).toBe(
      'https://market.example/list/p/7',
    );
  });

  it("drops a site's own tracking parameters in place of the default ones", () => {
    const options = { trackingParameters: ['ref', 'mc_*'] };
    expect(canonicalize('https://market.example/k?ref=1&mc_cid=2&gclid=3', options)).toBe(
      'https://market.example/k?gclid=3',
    );
  });

  it('keeps the bytes of a query that is not UTF-8', () => {
    expect(canonicalize('https://market.example/s?utm_source=1&q=%B2%E8')).toBe('https://market.example/s?q=%B2%E8');
  });

  it('says why a text is no URL to crawl', () => {
    expect(parseUrl('/only/a/path')).toEqual({ invalid: 'invalid' });
    expect(parseUrl('http://[::1')).toEqual({ invalid: 'invalid' });
    expect(parseUrl('tel:+86100')).toEqual({ invalid: 'not-http' });
    expect(parseUrl(`https://market.example/${'a'.repeat(MAX_URL_BYTES)}`)).toEqual({ invalid: 'too-long' });
  });

  it('measures the length after escaping and without what is dropped', () => {
    expect(canonicalize(`https://market.example/${'茶'.repeat(300)}`)).toBeNull();
    expect(canonicalize(`https://market.example/k?utm_content=${'a'.repeat(5000)}`)).toBe('https://market.example/k');
  });

  it('does not change a URL that is canonical already', () => {
    const piece = fc.constantFrom(
      '%',
      '%4',
      '1',
      '%41',
      '%2e',
      '.',
      '/',
      '?',
      '&',
      '=',
      'utm_x',
      '茶',
      ' ',
      ';',
      '%zz',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const once = canonicalize(`http://market.example/${pieces.join('')}`);
        expect(once === null ? null : canonicalize(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('hashUrl', () => {
  it('gives the 32 bytes of SHA-256', () => {
    expect(hashUrl('http://market.example/').toString('hex')).toMatch(/^[0-9a-f]{64}$/);
    expect(hashUrl('a').toString('hex')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
  });
});
