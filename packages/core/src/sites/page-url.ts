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
