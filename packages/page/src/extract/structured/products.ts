import { nodesOf, textValue, type StructuredNode } from './node.js';

/** A product of the page, with what surrounds it: an offer that names it, the address of its list entry. */
export interface Product {
  readonly node: StructuredNode;
  readonly offers: readonly StructuredNode[];
  readonly listUrl: string | null;
  /** Of the group that it is a variant of. */
  readonly groupName: string | null;
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
  const offered = offersByProduct(roots);
  const visit = (
    node: StructuredNode,
    inList: boolean,
    by: readonly StructuredNode[],
    listUrl: string | null,
    groupName: string | null,
  ): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.types.some((type) => PRODUCT_TYPES.has(type.toLowerCase()))) {
      const offers = [...new Set([...by, ...(offered.get(node) ?? [])])];
      const variants = nodesOf(node, 'hasVariant').filter((variant) => variant.properties.size > 0);
      // variants that only name colours and sizes: the offer is the group's
      const own = hasOffer(node, offers) && !variants.some((variant) => hasOffer(variant, []));
      const before = alone.length + listed.length;
      const name = textValue(node, 'name', 'title');
      if (!own) for (const variant of variants) visit(variant, inList, [], null, name);
      if (alone.length + listed.length === before) (inList ? listed : alone).push({ node, offers, listUrl, groupName });
      return;
    }
    if (node.types.includes('BreadcrumbList')) return;
    for (const name of THROUGH) {
      const within = inList || name === 'itemListElement';
      for (const next of nodesOf(node, name)) {
        const url = name === 'item' ? textValue(node, 'url') : null;
        visit(next, within, name === 'itemOffered' ? [node] : [], url, null);
      }
    }
  };
  for (const root of roots) visit(root, false, [], null, null);
  return alone.length > 0 ? alone : listed;
}

function hasOffer(node: StructuredNode, offers: readonly StructuredNode[]): boolean {
  return offers.length > 0 || ['offers', 'offerDetails', 'offer', 'price'].some((name) => node.properties.has(name));
}

/** Offers that stand on their own and point to their product (`itemOffered`), wherever that stands. */
function offersByProduct(roots: readonly StructuredNode[]): ReadonlyMap<StructuredNode, readonly StructuredNode[]> {
  const found = new Map<StructuredNode, StructuredNode[]>();
  for (const node of roots.flatMap((root) => [root, ...nodesOf(root, '@graph')])) {
    for (const product of nodesOf(node, 'itemOffered')) {
      const offers = found.get(product);
      if (offers === undefined) found.set(product, [node]);
      else offers.push(node);
    }
  }
  return found;
}
