import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { withEncodedQuery } from '../../charset/encode-query.js';
import type { Survey } from './survey.js';

/** Makes an address on a page absolute and canonical; null for what is no http(s) URL. */
export type Resolve = (address: string) => CanonicalUrl | null;

/**
 * Resolver of a page's addresses against its base URL; links repeat, so answers are kept while the page is read.
 * @param charset - of the page: browsers send the query of a link in it (WHATWG URL, "query state")
 */
export function createResolver(
  base: string,
  trackingParameters: readonly string[] | undefined,
  charset = 'utf-8',
): Resolve {
  const known = new Map<string, CanonicalUrl | null>();
  return (address) => {
    let url = known.get(address);
    if (url === undefined) {
      url = canonicalize(withEncodedQuery(address, charset), { base, trackingParameters });
      known.set(address, url);
    }
    return url;
  };
}

/**
 * The base URL of a page (WHATWG HTML): `href` of its first <base>, against the page's own URL; the page's own URL
 * where there is none, or where it is no URL, or of a scheme that the standard forbids there.
 */
export function baseUrlOf(baseHref: string | null, finalUrl: string): string {
  if (baseHref === null || !URL.canParse(baseHref, finalUrl)) return finalUrl;
  const base = new URL(baseHref, finalUrl);
  return base.protocol === 'data:' || base.protocol === 'javascript:' ? finalUrl : base.href;
}

/** Where the page leads to, each URL once, in page order; a refresh comes last. */
export function linksOf(survey: Survey, resolve: Resolve): CanonicalUrl[] {
  const links = new Set<CanonicalUrl>();
  for (const { attribs } of survey.anchors) {
    const url = resolve(attribs['href'] ?? '');
    if (url !== null) links.add(url);
  }
  const refresh = survey.refreshHref === null ? null : resolve(survey.refreshHref);
  if (refresh !== null) links.add(refresh);
  return [...links];
}

/** Where a page is: its canonical address, else its own. */
export function addressOf({ canonicalHref }: Survey, resolve: Resolve, pageUrl: string): CanonicalUrl | null {
  return (canonicalHref === null ? null : resolve(canonicalHref)) ?? resolve(pageUrl);
}
