export { compileSite, compileSites } from './compile-site.js';
export type { CompiledKind, CompiledSite } from './compile-site.js';
export { extractPage } from './extract-page.js';
export type { ExtractedPage, PageInput, UnreadPage } from './extract-page.js';
export type { GoodsRow } from './goods-row.js';
