import { createHash } from 'node:crypto';
import type { CompiledSite } from './compile-site.js';

/** Raised when the product itself reads other rows in the same page. */
const READER_VERSION = 2;

/** SHA-256 of all in a site file and its module that decides what is read in a page: other rules, other rows, though the page is the same. */
export function rulesHashOf({ site, module }: Pick<CompiledSite, 'site' | 'module'>): Buffer {
  const { base, goods, follow, kinds, locale, currency, trackingParameters } = site;
  const rules = {
    READER_VERSION,
    base,
    goods,
    follow,
    kinds,
    locale,
    currency,
    trackingParameters,
    module: module?.hash,
  };
  return createHash('sha256').update(JSON.stringify(rules)).digest();
}
