export { compileSite, extractPage } from './extract/index.js';
export type {
  CompiledKind,
  CompiledSite,
  ExtractedPage,
  GoodsRow,
  PageInput,
  TooComplexPage,
} from './extract/index.js';
