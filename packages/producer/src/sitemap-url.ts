import { z } from 'zod';
import type { ValueKind } from '@dist-crawl/core/config';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';

/** In place of a URL: the sitemaps that the site itself names. */
export const LISTED = 'listed';

/** The value of `--sitemap`. */
export function sitemapUrl(): ValueKind<CanonicalUrl | typeof LISTED> {
  const schema = z.string().transform((written, context) => {
    if (written === LISTED) return LISTED;
    const url = canonicalize(written);
    if (url !== null) return url;
    context.addIssue({ code: 'custom', message: `'${written}' is no http(s) URL` });
    return z.NEVER;
  });
  return { expected: 'the URL of a sitemap, or none for those that robots.txt names', schema };
}
