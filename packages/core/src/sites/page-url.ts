import { canonicalize, type CanonicalUrl } from '../url/index.js';
import type { Site } from './site-schema.js';

/**
 * The URL of list page `page`: the site's `pages` with the number filled in, resolved against `base`.
 * Null where the site has no `pages`, or where what comes out is no URL that can be queued.
 */
export function pageUrl(site: Pick<Site, 'base' | 'pages' | 'trackingParameters'>, page: number): CanonicalUrl | null {
  if (site.pages === undefined) return null;
  const { trackingParameters } = site;
  return canonicalize(site.pages.replace('{page}', String(page)), {
    base: site.base,
    ...(trackingParameters === undefined ? {} : { trackingParameters }),
  });
}

/** A number that stands nowhere else in a URL. */
const PROBE = 7_046_029_254;
const PAGE_NUMBER = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Makes the way back of {@link pageUrl}: which list page a URL is; null: none of the site's `pages`. It is told from the
 * canonical form, so it holds for URLs that came from elsewhere, too.
 */
export function createPageNumbers(
  site: Pick<Site, 'base' | 'pages' | 'trackingParameters'>,
): (url: string) => number | null {
  const [before, after, ...more] = pageUrl(site, PROBE)?.split(String(PROBE)) ?? [];
  if (before === undefined || after === undefined || more.length > 0) return () => null;
  return (url) => {
    if (!url.startsWith(before) || !url.endsWith(after)) return null;
    const number = url.slice(before.length, url.length - after.length);
    return PAGE_NUMBER.test(number) ? Number(number) : null;
  };
}
