import { squeeze } from '../document/text.js';
import { addressOf, type Resolve } from '../document/links.js';
import type { Survey } from '../document/survey.js';
import type { GoodsRow } from '../goods-row.js';
import { textOfMarkup } from '../language/markup.js';
import type { Price, PriceReader } from '../price/index.js';
import { readJsonLd } from './json-ld.js';
import { readMicrodata } from './microdata.js';
import { localName, nodesOf, textValue, type StructuredNode } from './node.js';
import { priceOfOffers, type MoneyReader } from './offers.js';
import { readOpenGraph } from './open-graph.js';
import { findProducts, type Product } from './products.js';

export interface StructuredContext {
  readonly resolve: Resolve;
  readonly readPrice: PriceReader;
  readonly currency: string | undefined;
  /** Address of the page itself, which is that of the only product on it. */
  readonly pageUrl: string;
}

/** A product, as an item and as a row. */
export interface StructuredProduct {
  readonly node: StructuredNode;
  readonly row: GoodsRow;
}

/**
 * The products that a page tells of in JSON-LD; where there is none, in microdata; where neither, in OpenGraph. A price that the
 * only product lacks is taken from the next of these.
 */
export function readStructured(survey: Survey, context: StructuredContext): StructuredProduct[] {
  const money = moneyReader(context);
  const fromItems = (roots: readonly StructuredNode[]): StructuredProduct[] =>
    distinct(findProducts(roots).map((product) => ({ node: product.node, row: toRow(product, context, money) })));
  const sources = [
    () => fromItems(readJsonLd(survey.jsonLd)),
    () => fromItems(readMicrodata(survey.items)),
    () => [readOpenGraph(survey.metas, context.resolve, money)].filter((product) => product !== null),
  ];
  let found: StructuredProduct[] = [];
  for (const read of sources) {
    const [lacking] = found;
    if (lacking !== undefined && (found.length > 1 || lacking.row.price !== null)) break;
    const told = read();
    if (lacking === undefined) found = told;
    else if (told.length === 1 && told[0] !== undefined && told[0].row.price !== null)
      found = [priced(lacking, told[0])];
  }
  return withPageUrl(found, survey, context);
}

/** Of two tellings of a page's only product the first, with the price of the second. */
function priced({ node, row }: StructuredProduct, { row: { price, currency } }: StructuredProduct): StructuredProduct {
  return { node, row: { ...row, price, currency: row.currency ?? currency } };
}

/** Longer texts are no amounts. */
const MAX_AMOUNT = 1_000;

/** Prices in data are numbers with a point, whatever the language of the page; only what is none is read as text. */
function moneyReader({ readPrice, currency }: StructuredContext): MoneyReader {
  return (amount, code): Price | null => {
    const text = textOfMarkup(amount.slice(0, MAX_AMOUNT)).trim();
    const machine = /^\d+(?:\.\d+)?$/.test(text) && text.length <= 30;
    if (!machine) return readPrice(text, { currencyText: code, currency });
    const currencyOnly = readPrice('1', { currencyText: code, currency })?.currency ?? null;
    return { amount: text.replace(/^0+(?=\d)/, ''), currency: currencyOnly };
  };
}

function toRow(
  { node, offers, listUrl, groupName }: Product,
  context: StructuredContext,
  money: MoneyReader,
): GoodsRow {
  const all = [...nodesOf(node, 'offers', 'offerDetails', 'offer'), ...offers];
  const price = priceOfOffers(all, money, textValue(node, 'priceCurrency')) ?? ownPrice(node, money);
  const name = textValue(node, 'name', 'title') ?? groupName;
  const offerUrl = all.map((offer) => textValue(offer, 'url')).find((url) => url !== null);
  const address = textValue(node, 'url') ?? listUrl ?? offerUrl ?? (/^https?:/i.test(node.id ?? '') ? node.id : null);
  return {
    goods_url: address === null ? null : context.resolve(address.replaceAll('&amp;', '&')),
    goods_name: name === null ? null : squeeze(textOfMarkup(textOfMarkup(name))),
    price: price?.amount ?? null,
    currency: price?.currency ?? null,
    attributes: attributesOf(node, all),
  };
}

function ownPrice(node: StructuredNode, money: MoneyReader): Price | null {
  const amount = textValue(node, 'price', 'lowPrice');
  return amount === null ? null : money(amount, textValue(node, 'priceCurrency', 'currency'));
}

function attributesOf(node: StructuredNode, offers: readonly StructuredNode[]): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  const entries: readonly (readonly [string, string | null])[] = [
    ['sku', textValue(node, 'sku', 'productID', 'identifier')],
    ['gtin', textValue(node, 'gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn')],
    ['brand', textValue(node, 'brand', 'manufacturer')],
    ['image', textValue(node, 'image')],
    ['availability', offers.map((offer) => textValue(offer, 'availability')).find((text) => text !== null) ?? null],
  ];
  for (const [key, value] of entries) {
    if (value !== null) attributes[key] = key === 'availability' ? localName(value) : squeeze(value);
  }
  return attributes;
}

/**
 * Plug-ins often tell of one product twice, and not of all of it each time: what one telling leaves out may be as the other has
 * it. The one with a price is kept.
 */
function distinct(products: readonly StructuredProduct[]): StructuredProduct[] {
  const kept: StructuredProduct[] = [];
  const byName = new Map<string | null, number[]>();
  for (const product of products) {
    const { goods_name: name, price } = product.row;
    if (name === null && price === null) continue;
    const namesakes = byName.get(name) ?? [];
    byName.set(name, namesakes);
    const place = namesakes.slice(0, MAX_NAMESAKES).find((index) => areSame(kept[index], product));
    const other = place === undefined ? undefined : kept[place];
    if (place === undefined || other === undefined) namesakes.push(kept.push(product) - 1);
    else if (other.row.price === null && price !== null) kept[place] = completed(product, other);
    else kept[place] = completed(other, product);
  }
  return kept;
}

/** Of so many products with one name the later ones are taken as they are. */
const MAX_NAMESAKES = 100;

function completed({ node, row }: StructuredProduct, { row: more }: StructuredProduct): StructuredProduct {
  const attributes = { ...more.attributes, ...row.attributes };
  return { node, row: { ...row, goods_url: row.goods_url ?? more.goods_url, attributes } };
}

/** Nothing that both tell speaks against it; of products without a name nothing speaks for it either. */
function areSame(first: StructuredProduct | undefined, { row: other }: StructuredProduct): boolean {
  if (first === undefined) return false;
  const { row: one } = first;
  const agree = (a: unknown, b: unknown): boolean => a === b || (a ?? null) === null || (b ?? null) === null;
  if (one.goods_name === null) return one.goods_url !== null && one.goods_url === other.goods_url;
  return (
    agree(one.goods_url, other.goods_url) &&
    agree(one.attributes['sku'], other.attributes['sku']) &&
    agree(plain(one.price), plain(other.price))
  );
}

/** `12.50` and `12.5` are one amount. */
function plain(amount: string | null): string | null {
  return amount?.includes('.') === true ? amount.replace(/\.?0+$/, '') : amount;
}

/** The only product of a page that does not say where it is, is at the page's canonical address. */
function withPageUrl(
  products: readonly StructuredProduct[],
  survey: Survey,
  context: StructuredContext,
): StructuredProduct[] {
  const [only] = products;
  if (only === undefined || products.length > 1 || only.row.goods_url !== null) return [...products];
  const goods_url = addressOf(survey, context.resolve, context.pageUrl);
  return [{ node: only.node, row: { ...only.row, goods_url } }];
}
