import type { Site } from './site-schema.js';
import { matchesPattern } from './url-pattern.js';

/**
 * Whether a URL belongs to the site: http(s), on one of its hosts, matched by a pattern of `include` where there are
 * any, and by none of `exclude`. Checked before a URL is queued, and again at each redirect.
 */
export function inScope(site: Pick<Site, 'scope'>, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const { hosts, include, exclude } = site.scope;
  if (!hosts.some((pattern) => hostMatches(pattern, host))) return false;
  if (include.length > 0 && !include.some((pattern) => matchesPattern(pattern, href))) return false;
  return !exclude.some((pattern) => matchesPattern(pattern, href));
}

/** `*.shop.example` is every host below shop.example, not shop.example itself; ports must be the same. */
function hostMatches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
