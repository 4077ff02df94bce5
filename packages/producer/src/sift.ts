import { inScope, type Site } from '@dist-crawl/core/sites';
import { type CanonicalUrl, parseUrl, type UrlProblem } from '@dist-crawl/core/url';

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
export function createSift(site: Site, sites: readonly Site[] = [site]): (text: string) => Sifted {
  const { trackingParameters } = site;
  return (text) => {
    const parsed = parseUrl(text, { trackingParameters });
    if ('invalid' in parsed) return { refused: parsed.invalid };
    const taker = sites.find((each) => inScope(each, parsed.url));
    if (taker === site) return parsed;
    return taker === undefined ? { refused: 'out-of-scope' } : { elsewhere: true };
  };
}
