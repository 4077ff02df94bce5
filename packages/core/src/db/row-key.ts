import { createHash } from 'node:crypto';

/** SHA-256, 32 bytes, of a URL as it is written: what the unique keys hold. */
export function urlHashOf(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}

/** What makes a goods row the same row at the next crawl: its link, or else its place on its page (from 0). */
export function goodsKeyOf(goodsUrl: string | null, pageUrl: string, ordinal: number): Buffer {
  return urlHashOf(goodsUrl ?? `${pageUrl}\n${ordinal}`);
}

/** Order in which rows are written: the same for all writers, so that they wait for each other instead of deadlocking. */
export function byKey(a: { site: string; key: Buffer }, b: { site: string; key: Buffer }): number {
  if (a.site !== b.site) return a.site < b.site ? -1 : 1;
  return Buffer.compare(a.key, b.key);
}
