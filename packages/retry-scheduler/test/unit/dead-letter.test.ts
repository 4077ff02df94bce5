import type { FailedUrl } from '@dist-crawl/core/frontier';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastKeptMonth } from '../../src/jobs/archive-job.js';
import { deadLetter } from '../../src/jobs/dead-letter.js';

const NOW = 1_800_000_000_000;
const url = 'http://shop.test/1' as CanonicalUrl;

describe('a dead letter', () => {
  it('tells the story that the record has', () => {
    const record = { kind: 'timeout', error: 'no answer', status: 504, node: 'a', first: NOW - 5_000, last: NOW - 1 };
    expect(deadLetter('shop', { url, failures: 5, record }, NOW)).toEqual({
      site: 'shop',
      url,
      kind: 'timeout',
      lastError: 'no answer',
      status: 504,
      failures: 5,
      firstFailure: new Date(NOW - 5_000),
      lastFailure: new Date(NOW - 1),
      node: 'a',
    });
  });

  it('says so where there is no record', () => {
    expect(deadLetter('shop', { url, failures: 5, record: {} }, NOW)).toMatchObject({
      kind: 'unknown',
      lastError: 'no record of its failures was kept: Redis lost it, or the URL was put there by hand',
      status: null,
      firstFailure: new Date(NOW),
      lastFailure: new Date(NOW),
    });
  });

  it('fits the columns whatever the record holds', () => {
    const number = fc.option(fc.double(), { nil: undefined });
    const failed = fc.record({
      failures: fc.double({ noNaN: true }),
      record: fc.record({ status: number, first: number, last: number }),
    });
    fc.assert(
      fc.property(failed, ({ failures, record }) => {
        const given = { url, failures, record } as unknown as FailedUrl;
        const letter = deadLetter('shop', given, NOW);
        expect(letter.failures).toBeGreaterThanOrEqual(1);
        expect(letter.failures).toBeLessThan(2 ** 32);
        expect(Number.isInteger(letter.failures)).toBe(true);
        expect(letter.status === null || (letter.status >= 0 && letter.status < 65_536)).toBe(true);
        expect(letter.firstFailure.getTime()).toBeGreaterThanOrEqual(0);
        expect(letter.lastFailure.getTime()).toBeLessThanOrEqual(NOW + 86_400_000);
      }),
    );
  });
});

describe('the oldest Bloom generation kept', () => {
  it.each([
    ['2026-07-15T00:00:00Z', '2026-07'],
    ['2026-07-01T23:59:59Z', '2026-06'],
    ['2026-07-02T00:00:00Z', '2026-07'],
    ['2026-01-01T12:00:00Z', '2025-12'],
  ])('for the cutoff %s is %s', (cutoff, month) => {
    expect(lastKeptMonth(new Date(cutoff))).toBe(month);
  });
});
