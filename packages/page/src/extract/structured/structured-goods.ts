import { squeeze } from '../document/text.js';
import type { Resolve } from '../document/links.js';
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

/** The products that a page tells of in JSON-LD; where there is none, in microdata; where neither, in OpenGraph. */
export function readStructured(survey: Survey, context: StructuredContext): StructuredProduct[] {
  const money = moneyReader(context);
  for (const read of [() => readJsonLd(survey.jsonLd), () => readMicrodata(survey.items)]) {
    const products = distinct(
      findProducts(read()).map((product) => ({ node: product.node, row: toRow(product, context, money) })),
    );
    if (products.length > 0) return withPageUrl(products, survey, context);
  }
  const product = readOpenGraph(survey.metas, context.resolve, money);
  return product === null ? [] : [product];
}

/** Prices in data are numbers with a point, whatever the language of the page; only what is none is read as text. */
function moneyReader({ readPrice, currency }: StructuredContext): MoneyReader {
  return (amount, code): Price | null => {
    const text = amount.trim();
    const machine = /^\d+(?:\.\d+)?$/.test(text) && text.length <= 30;
    if (!machine) return readPrice(text, { currencyText: code, currency });
    const currencyOnly = readPrice('1', { currencyText: code, currency })?.currency ?? null;
    return { amount: text.replace(/^0+(?=\d)/, ''), currency: currencyOnly };
  };
}

function toRow({ node, offers, listUrl }: Product, context: StructuredContext, money: MoneyReader): GoodsRow {
  const all = [...nodesOf(node, 'offers', 'offerDetails', 'offer'), ...offers];
  const price = priceOfOffers(all, money) ?? ownPrice(node, money);
  const name = textValue(node, 'name', 'title');
  const offerUrl = all.map((offer) => textValue(offer, 'url')).find((url) => url !== null);
  const address = textValue(node, 'url') ?? listUrl ?? offerUrl ?? (/^https?:/i.test(node.id ?? '') ? node.id : null);
  return {
    goods_url: address === null ? null : context.resolve(address),
    goods_name: name === null ? null : squeeze(textOfMarkup(name)),
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

/** Plug-ins often tell of one product twice: the telling with a price is kept. */
function distinct(products: readonly StructuredProduct[]): StructuredProduct[] {
  const kept = new Map<string, StructuredProduct>();
  for (const [index, product] of products.entries()) {
    const { goods_name: name, goods_url: url, price, attributes } = product.row;
    if (name === null && price === null) continue;
    const same = JSON.stringify([name, attributes['sku'] ?? null]);
    const key = url === null || name === null ? same : JSON.stringify([name, url]);
    const other = kept.get(key) ?? kept.get(same);
    if (other === undefined) kept.set(kept.has(key) ? `${key}${index}` : key, product);
    else if (other.row.price === null && price !== null) kept.set(kept.has(key) ? key : same, product);
    else if (price !== null && other.row.price !== price) kept.set(`${key}${index}`, product);
  }
  return [...kept.values()];
}

/** The only product of a page that does not say where it is, is at the page's canonical address. */
function withPageUrl(
  products: readonly StructuredProduct[],
  survey: Survey,
  context: StructuredContext,
): StructuredProduct[] {
  const [only] = products;
  if (only === undefined || products.length > 1 || only.row.goods_url !== null) return [...products];
  const canonical = survey.canonicalHref === null ? null : context.resolve(survey.canonicalHref);
  return [{ node: only.node, row: { ...only.row, goods_url: canonical ?? context.resolve(context.pageUrl) } }];
}
