export { compileSite, compileSites, extractPage } from './extract/index.js';
export type { CompiledKind, CompiledSite, ExtractedPage, GoodsRow, PageInput, UnreadPage } from './extract/index.js';
export { rulesHashOf } from './extract/rules-hash.js';
export type { Validators } from './fetch/fetcher.js';
export { resolveProxies } from './proxy/proxy-address.js';
export type { ProxyAddress } from './proxy/proxy-address.js';
export type { ProxyHealth } from './proxy/proxy-health.js';
export { createMemoryRobotsCache } from './robots/robots-cache.js';
export type { RobotsCache } from './robots/robots-cache.js';
export type { Robots, RobotsUnreachable, RobotsVerdict } from './robots/robots.js';
export { classify, isAway } from './visit/classify.js';
export type { FailureKind, FailureVerdict } from './visit/classify.js';
export type { FailedVisit, UnchangedVisit, Visit, VisitedPage } from './visit/visit.js';
export { createVisitor } from './visit/visitor.js';
export type { Visitor, VisitOptions, VisitorOptions } from './visit/visitor.js';
export type { SitemapKind } from './sitemap/parse-sitemap.js';
export { createSitemapReader } from './sitemap/sitemap-reader.js';
export type {
  ReadSitemapsOptions,
  SitemapReader,
  SitemapReaderOptions,
  SitemapReport,
} from './sitemap/sitemap-reader.js';
