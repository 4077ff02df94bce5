import { type LoadedSite, siteSchema } from '@dist-crawl/core/sites';
import { inScope } from '@dist-crawl/core/sites';
import { canonicalize, parseUrl, type CanonicalUrl, type UrlProblem } from '@dist-crawl/core/url';

/** A URL with the site by whose rules it is looked at. */
export interface ChosenUrl {
  /** As the user wrote it. */
  readonly given: string;
  readonly url: CanonicalUrl;
  readonly loaded: LoadedSite;
  /** `asked for`: by --site; `by scope`: the only site that has it; `none`: no site file, only the page's own data. */
  readonly chosen: 'asked for' | 'by scope' | 'none';
  /** The sites that all have it, where there are several and none was asked for; their names. */
  readonly candidates: readonly string[];
  readonly inScope: boolean;
}

/** What can't be visited: no http(s) URL, or too long. */
export interface RefusedUrl {
  readonly given: string;
  readonly problem: UrlProblem;
}

export interface SiteChoice {
  readonly sites: readonly LoadedSite[];
  /** The site was asked for: it takes every URL. */
  readonly asked: boolean;
}

/** Finds the site for each URL. URLs without one get a site of their own, one an origin, that has no rules. */
export function createSiteChooser({ sites, asked }: SiteChoice): (given: string) => ChosenUrl | RefusedUrl {
  const withoutFile = new Map<string, LoadedSite>();
  return (given) => {
    const parsed = parseUrl(given);
    if ('invalid' in parsed) return { given, problem: parsed.invalid };
    const matching = asked ? sites : sites.filter(({ site }) => inScope(site, parsed.url));
    const [only, another] = matching;
    if (only !== undefined && another === undefined) {
      const { site } = only;
      const url = canonicalize(given, { trackingParameters: site.trackingParameters }) ?? parsed.url;
      const chosen = asked ? 'asked for' : 'by scope';
      return { given, url, loaded: only, chosen, candidates: [], inScope: inScope(site, url) };
    }
    const { origin } = new URL(parsed.url);
    const loaded = withoutFile.get(origin) ?? siteWithoutFile(origin);
    withoutFile.set(origin, loaded);
    const candidates = matching.map(({ site }) => site.name);
    return { given, url: parsed.url, loaded, chosen: 'none', candidates, inScope: true };
  };
}

/**
 * A site for a URL that no file describes: goods come from structured data alone. Whoever types an address means it, so private ones are
 * allowed; redirects may go to hosts next to it, such as from shop.example to www.shop.example.
 */
export function siteWithoutFile(origin: string): LoadedSite {
  const { host, hostname } = new URL(origin);
  const bare = host.replace(/^www\./u, '');
  const isName = /[a-z]/u.test(hostname) && !hostname.startsWith('[') && hostname.includes('.');
  const hosts = isName ? [...new Set([host, bare, `*.${bare}`])] : [host];
  return {
    site: siteSchema.parse({ name: 'no-site-file', base: origin, allowPrivateAddresses: true, scope: { hosts } }),
    file: '(no site file)',
    locate: () => ({ line: 1, column: 1 }),
    problem: (path, what, expected) => ({ where: path.join('.'), what, expected }),
  };
}
