/** What the product calls itself, to servers and in robots.txt. */
const PRODUCT_TOKEN = 'dist-crawl';
const PRODUCT_VERSION = '0.1';

export interface IdentityOptions {
  /** Stands in place of the product's own, whole. */
  readonly userAgent?: string | undefined;
  /** URL or mail address of who runs the crawl: whom a site's owner can ask. */
  readonly contact?: string | undefined;
}

/** The User-Agent header: `dist-crawl/0.1 (+contact)`. */
export function userAgentOf({ userAgent, contact }: IdentityOptions): string {
  if (userAgent !== undefined) return userAgent;
  const note = contact === undefined || contact === '' ? '' : ` (+${contact.replace(/[^\x20-\x7e]|[()]/g, '')})`;
  return `${PRODUCT_TOKEN}/${PRODUCT_VERSION}${note}`;
}

/** The product token of a User-Agent, by which groups of robots.txt are found (RFC 9309, 2.2.1). */
export function productTokenOf(userAgent: string): string {
  return /^[^/\s]*/.exec(userAgent)?.[0] ?? '';
}
