import { createHash } from 'node:crypto';
import type { Site } from '@dist-crawl/core/sites';

/** Raised when the product itself reads other rows in the same page. */
const READER_VERSION = 1;

/** SHA-256 of all in a site file that decides what is read in a page: other rules, other rows, though the page is the same. */
export function rulesHashOf({ base, goods, follow, kinds, locale, currency, trackingParameters }: Site): Buffer {
  const rules = { READER_VERSION, base, goods, follow, kinds, locale, currency, trackingParameters };
  return createHash('sha256').update(JSON.stringify(rules)).digest();
}
