import type { CanonicalUrl } from './canonical-url.js';
import { DEFAULT_TRACKING_PARAMETERS, withoutTracking } from './tracking.js';

/** Longest canonical URL in bytes (it is ASCII): what servers, proxies and the key columns of the tables all take. */
export const MAX_URL_BYTES = 2048;

/** Why a text is no URL that can be crawled: no URL at all, of another scheme (mailto:, javascript:), or over-long. */
export type UrlProblem = 'invalid' | 'not-http' | 'too-long';

export interface CanonicalizeOptions {
  /** Absolute URL that a relative input is resolved against; without it, only absolute inputs are URLs. */
  readonly base?: string | undefined;
  /** Query parameters to drop, `utm_*` style; a site's own list stands in place of the default one. */
  readonly trackingParameters?: readonly string[] | undefined;
}

export type ParsedUrl = { readonly url: CanonicalUrl } | { readonly invalid: UrlProblem };

/**
 * Reads a URL as a browser would (WHATWG URL) and gives the one form by which it is queued and deduplicated: without
 * fragment, default port, tracking parameters and empty query; escapes in upper case, needless ones decoded
 * (RFC 3986, 6.2.2). Giving a canonical URL again changes nothing.
 */
export function parseUrl(input: string, options: CanonicalizeOptions = {}): ParsedUrl {
  const url = parseOrNull(input, options.base);
  if (url === null) return { invalid: 'invalid' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { invalid: 'not-http' };
  url.hash = '';
  url.search = withoutTracking(url.search, options.trackingParameters ?? DEFAULT_TRACKING_PARAMETERS);
  const href = normalizeEscapes(url.href);
  // Everything above made it ASCII, so characters are bytes.
  return href.length > MAX_URL_BYTES ? { invalid: 'too-long' } : { url: href as CanonicalUrl };
}

/** As `parseUrl`, for callers that don't count reasons: null for whatever can't be crawled. */
export function canonicalize(input: string, options?: CanonicalizeOptions): CanonicalUrl | null {
  const parsed = parseUrl(input, options);
  return 'url' in parsed ? parsed.url : null;
}

function parseOrNull(input: string, base: string | undefined): URL | null {
  try {
    return new URL(input, base);
  } catch {
    return null;
  }
}

/** An escape behind a stray `%` is left encoded: decoded, the two would make another escape. */
const ESCAPE = /(?<!%[0-9a-f]?)%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9._~-]/;

function normalizeEscapes(href: string): string {
  if (!href.includes('%')) return href;
  return href.replace(ESCAPE, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}
