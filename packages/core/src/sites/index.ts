export { loadSiteFile, loadSites } from './load-sites.js';
export type { LoadedSite } from './load-sites.js';
export { pageUrl } from './page-url.js';
export { inScope } from './scope.js';
export { siteSchema } from './site-schema.js';
export type { Limits, PageKind, Site } from './site-schema.js';
export type { FieldRule, FollowRule, GoodsBlock } from './field-schema.js';
export type { Location, SitePath } from './site-file.js';
export { matchesPattern } from './url-pattern.js';
