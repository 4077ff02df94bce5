declare const canonicalUrl: unique symbol;

/** An absolute http(s) URL in the one form by which a page is known: the form that is queued, locked and recorded. */
export type CanonicalUrl = string & { readonly [canonicalUrl]: true };
