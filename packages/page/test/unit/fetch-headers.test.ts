import { describe, expect, it } from 'vitest';
import { isPageType, looksBinary } from '../../src/fetch/content-type.js';
import { failureOf } from '../../src/fetch/failure.js';
import { productTokenOf, userAgentOf } from '../../src/fetch/identity.js';
import { parseRetryAfter } from '../../src/fetch/retry-after.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['999999999', 86_400_000],
    ['-5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads %s as %s ms', (value, expected) => {
    expect(parseRetryAfter(value, null, NOW)).toBe(expected);
  });

  it("measures a date against the server's own clock", () => {
    const date = 'Sun, 01 Mar 2026 10:00:00 GMT';
    expect(parseRetryAfter('Sun, 01 Mar 2026 10:00:10 GMT', date, NOW)).toBe(10_000);
  });
});

describe('the type of an answer', () => {
  it.each([
    'text/html',
    'Text/HTML; charset=gbk',
    'application/xhtml+xml',
    'application/atom+xml',
    'text/plain',
    'text/html charset=gbk', // no type: the bytes decide
    'image/png, text/html',
    '',
    null,
  ])('is that of a page for %s', (type) => expect(isPageType(type)).toBe(true));

  it.each(['image/png', 'application/pdf', 'application/json', 'application/octet-stream', 'video/mp4; charset=utf-8'])(
    'is not that of a page for %s',
    (type) => expect(isPageType(type)).toBe(false),
  );

  it('is told by the bytes where it is missing', () => {
    expect(looksBinary(Buffer.from('%PDF-1.7'))).toBe(true);
    expect(looksBinary(Buffer.from([1, 0, 2, 0]))).toBe(true);
    expect(looksBinary(Buffer.from('<p>茶</p>'))).toBe(false);
    expect(looksBinary(Buffer.from('\uFEFF<p>茶</p>', 'utf16le'))).toBe(false);
  });
});

describe('identity', () => {
  it('names the product and the contact', () => {
    expect(userAgentOf({ contact: 'https://team.example/bot' })).toBe('dist-crawl/0.1 (+https://team.example/bot)');
    expect(userAgentOf({})).toBe('dist-crawl/0.1');
    expect(userAgentOf({ userAgent: 'Own/2', contact: 'x' })).toBe('Own/2');
  });

  it('has the product token in front of the version', () => {
    expect(productTokenOf('dist-crawl/0.1 (+x)')).toBe('dist-crawl');
    expect(productTokenOf('Plain bot')).toBe('Plain');
  });
});

describe('failureOf', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });

  it('looks into causes and into the tries of several addresses', () => {
    expect(failureOf(new Error('outer', { cause: coded('ECONNRESET') })).kind).toBe('reset');
    expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')])).kind).toBe('refused');
  });

  it.each([
    ['ENOTFOUND', 'dns'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['Z_DATA_ERROR', 'bad-encoding'],
    ['HPE_INVALID_CONSTANT', 'bad-response'],
    ['SOMETHING_ELSE', 'network'],
  ])('calls %s %s', (code, kind) => expect(failureOf(coded(code)).kind).toBe(kind));
});
