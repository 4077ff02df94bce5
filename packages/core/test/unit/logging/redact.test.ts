import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactText, redactUrl } from '../../../src/logging/redact.js';

describe('redactUrl', () => {
  test.each([
    ['redis://:secret@127.0.0.1:6379/0', 'redis://:***@127.0.0.1:6379/0'],
    ['mysql://crawl:p%40ss@db/shop', 'mysql://crawl:***@db/shop'],
    ['redis://:p@ss@h:1', 'redis://:***@h:1'],
    ['https://shop.test/a?token=abc&page=2', 'https://shop.test/a?token=***&page=2'],
    ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
    ['https://shop.test/@user:name', 'https://shop.test/@user:name'],
  ])('%s is shown as %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });

  test('no password survives, whatever its characters', () => {
    const password = fc
      .string({ minLength: 3, unit: 'grapheme' })
      .map((text) => `<${encodeURIComponent(text.replaceAll(/[\uD800-\uDFFF]/gu, ''))}>`);
    fc.assert(
      fc.property(password, (secret) => {
        expect(redactUrl(`redis://user:${secret}@host:6379`)).toBe('redis://user:***@host:6379');
      }),
    );
  });
});

test('passwords in a text with several URLs are all replaced, the rest stays', () => {
  expect(redactText('from redis://:a@h1 to mysql://u:b@h2/db, mail me@x.test')).toBe(
    'from redis://:***@h1 to mysql://u:***@h2/db, mail me@x.test',
  );
});
