import { squeeze } from '../document/text.js';
import type { Resolve } from '../document/links.js';
import type { StructuredNode, StructuredValue } from './node.js';
import type { MoneyReader } from './offers.js';
import type { StructuredProduct } from './structured-goods.js';

/** The product that a page's OpenGraph tags tell of; null where they tell of none: no product's type, and no price. */
export function readOpenGraph(
  metas: ReadonlyMap<string, string>,
  resolve: Resolve,
  money: MoneyReader,
): StructuredProduct | null {
  const tag = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const value = metas.get(name)?.trim();
      if (value !== undefined && value !== '') return value;
    }
    return null;
  };
  const amount = tag(
    'product:sale_price:amount',
    'product:price:amount',
    'og:price:amount',
    'product:price',
    'og:price',
  );
  const currency = tag(
    'product:sale_price:currency',
    'product:price:currency',
    'og:price:currency',
    'product:currency',
    'og:currency',
  );
  const isProduct = /^(?:og:)?product(?:$|[.:_])/i.test(tag('og:type') ?? '');
  if (!isProduct && amount === null) return null;
  const name = tag('og:title', 'twitter:title');
  if (name === null) return null;
  const price = amount === null ? null : money(amount, currency);
  const url = tag('og:url');
  const attributes: Record<string, unknown> = {};
  const more = {
    sku: tag('product:retailer_item_id'),
    brand: tag('product:brand', 'og:brand'),
    image: tag('og:image'),
  };
  const availability = tag('product:availability', 'og:availability');
  for (const [key, value] of Object.entries({ ...more, availability }))
    if (value !== null) attributes[key] = squeeze(value);
  return {
    node: asNode(metas),
    row: {
      goods_url: url === null ? null : resolve(url),
      goods_name: squeeze(name),
      price: price?.amount ?? null,
      currency: price?.currency ?? null,
      attributes,
    },
  };
}

/** So that a field's path such as offers.price finds the same things here. */
function asNode(metas: ReadonlyMap<string, string>): StructuredNode {
  const values = (...names: readonly string[]): [string, StructuredValue[]][] => {
    const [property = '', ...tags] = names;
    const value = tags.map((name) => metas.get(name)).find((text) => text !== undefined);
    return value === undefined ? [] : [[property, [value]]];
  };
  const offer: StructuredNode = {
    types: ['Offer'],
    id: null,
    properties: new Map([
      ...values('price', 'product:sale_price:amount', 'product:price:amount', 'og:price:amount'),
      ...values('priceCurrency', 'product:sale_price:currency', 'product:price:currency', 'og:price:currency'),
    ]),
  };
  const properties = [...values('name', 'og:title'), ...values('url', 'og:url'), ...values('image', 'og:image')];
  return { types: ['Product'], id: null, properties: new Map([...properties, ['offers', [offer]]]) };
}
