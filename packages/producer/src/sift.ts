import { inScope, type Site } from '@dist-crawl/core/sites';
import { type CanonicalUrl, parseUrl, type UrlProblem } from '@dist-crawl/core/url';
import type { Candidate } from './sources/source.js';

/** Why a candidate is not queued. */
export type Refusal = UrlProblem | 'out-of-scope';

export type Sifted =
  | { readonly url: CanonicalUrl }
  | { readonly refused: Refusal }
  /** Another site of the same order takes it. */
  | { readonly elsewhere: true };

/**
 * Makes the check that each candidate for `site` passes before it is queued: it must be a URL, and in scope.
 *
 * @param sites - all of the order; of those that have a URL in scope, the first one takes it
 */
export function createSift(site: Site, sites: readonly Site[] = [site]): (candidate: Candidate) => Sifted {
  const { trackingParameters } = site;
  return ({ text, url }) => {
    const parsed = url === undefined ? parseUrl(text, { trackingParameters }) : { url };
    if ('invalid' in parsed) return { refused: parsed.invalid };
    const taker = sites.find((each) => inScope(each, parsed.url));
    if (taker === site) return parsed;
    return taker === undefined ? { refused: 'out-of-scope' } : { elsewhere: true };
  };
}
