export type { CanonicalUrl } from './canonical-url.js';
export { canonicalize, MAX_URL_BYTES, parseUrl } from './canonicalize.js';
export type { CanonicalizeOptions, ParsedUrl, UrlProblem } from './canonicalize.js';
export { hashUrl } from './hash-url.js';
export { DEFAULT_TRACKING_PARAMETERS } from './tracking.js';
