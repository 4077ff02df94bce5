import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js';

/** What the URL parser itself escapes in a query. */
const QUERY_ESCAPES = ' "#\'<>';

/** An address with its query percent-encoded in the page's charset, where that is not UTF-8; all else is the URL parser's. */
export function withEncodedQuery(address: string, charset: string): string {
  // known only by this module, which brings the tables that whatwg.js asks for
  const encoding = normalizeEncoding(charset) ?? 'utf-8';
  if (/^utf-(?:8|16)/.test(encoding) || /^[\0-\x7f]*$/.test(address)) return address;
  const [, path = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  if (query === undefined) return address;
  return path + percentEncodeAfterEncoding(encoding, query.replace(/[\t\n\r]/g, ''), QUERY_ESCAPES) + fragment;
}
