export { compileSite } from './compile-site.js';
export type { CompiledKind, CompiledSite } from './compile-site.js';
export { extractPage } from './extract-page.js';
export type { ExtractedPage, PageInput, TooComplexPage } from './extract-page.js';
export type { GoodsRow } from './goods-row.js';
