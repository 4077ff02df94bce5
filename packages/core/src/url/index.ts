export type { CanonicalUrl } from './canonical-url.js';
