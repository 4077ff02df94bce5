import { nodesOf, textValue, type StructuredNode } from './node.js';

/** A product of the page, with what surrounds it: an offer that names it, the address of its list entry. */
export interface Product {
  readonly node: StructuredNode;
  readonly offers: readonly StructuredNode[];
  readonly listUrl: string | null;
}

const PRODUCT_TYPES = new Set(
  'product individualproduct someproducts productmodel productgroup vehicle car motorcycle busorcoach motorizedbicycle'.split(
    ' ',
  ),
);

/**
 * Properties that lead from a page or a list to what it is about. Others (isRelatedTo, isSimilarTo, review, brand …)
 * lead to products that are not the page's.
 */
const THROUGH = [
  '@graph',
  'mainEntity',
  'itemListElement',
  'item',
  'hasPart',
  'itemOffered',
  'hasOfferCatalog',
] as const;

/**
 * The products that a page's items tell of, in page order. Where a product stands on its own, lists beside it are
 * of other products: a detail page recommends some.
 */
export function findProducts(roots: readonly StructuredNode[]): Product[] {
  const alone: Product[] = [];
  const listed: Product[] = [];
  const seen = new Set<StructuredNode>();
  const visit = (
    node: StructuredNode,
    inList: boolean,
    offers: readonly StructuredNode[],
    listUrl: string | null,
  ): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.types.some((type) => PRODUCT_TYPES.has(type.toLowerCase()))) {
      const variants = nodesOf(node, 'hasVariant').filter((variant) => variant.properties.size > 0);
      const before = alone.length + listed.length;
      for (const variant of variants) visit(variant, inList, [], null);
      if (alone.length + listed.length === before) (inList ? listed : alone).push({ node, offers, listUrl });
      return;
    }
    if (node.types.includes('BreadcrumbList')) return;
    for (const name of THROUGH) {
      const within = inList || name === 'itemListElement';
      for (const next of nodesOf(node, name)) {
        const url = name === 'item' ? textValue(node, 'url') : null;
        visit(next, within, name === 'itemOffered' ? [node] : [], url);
      }
    }
  };
  for (const root of roots) visit(root, false, [], null);
  return alone.length > 0 ? alone : listed;
}
