import type { Price } from '../price/index.js';
import { nodesOf, textValue, type StructuredNode } from './node.js';

/** Reads an amount beside the currency that goes with it. */
export type MoneyReader = (amount: string, currency: string | null) => Price | null;

/** Prices that are shown, but that nobody pays. */
const NOT_PAID = /Strikethrough|ListPrice|MSRP|SRP|InvoicePrice|RegularPrice/i;

/** Amounts that are paid beside the price. */
const CHARGES = /^(?:Delivery|Payment)ChargeSpecification$/;

const MAX_DEPTH = 8;

/**
 * The price to pay for a product: the lowest of its offers (sizes, sellers), of an AggregateOffer its low price.
 * `currency` is that of offers which do not say theirs. Offers in another currency than the first, and those at 0 beside others that cost something, do not count.
 */
export function priceOfOffers(
  offers: readonly StructuredNode[],
  money: MoneyReader,
  currency: string | null = null,
): Price | null {
  const prices = offers.flatMap((offer) => pricesOf(offer, currency, money, 0));
  const comparable = prices.filter(({ currency }) => currency === prices[0]?.currency);
  const costing = comparable.filter(({ amount }) => /[1-9]/.test(amount));
  const candidates = costing.length > 0 ? costing : comparable;
  return candidates.reduce<Price | null>(
    (low, price) => (low === null || isLess(price.amount, low.amount) ? price : low),
    null,
  );
}

function pricesOf(offer: StructuredNode, parentCurrency: string | null, money: MoneyReader, depth: number): Price[] {
  if (depth > MAX_DEPTH) return [];
  const specifications = nodesOf(offer, 'priceSpecification').filter(
    (node) => !NOT_PAID.test(textValue(node, 'priceType') ?? '') && !node.types.some((type) => CHARGES.test(type)),
  );
  const currency =
    textValue(offer, 'priceCurrency', 'currency') ??
    parentCurrency ??
    specifications.map((node) => textValue(node, 'priceCurrency')).find((code) => code !== null) ??
    null;
  for (const name of ['price', 'lowPrice'] as const) {
    const [object] = nodesOf(offer, name); // a MonetaryAmount
    const amount = textValue(offer, name) ?? (object === undefined ? null : textValue(object, 'value', 'price'));
    const own = object === undefined ? null : textValue(object, 'currency', 'priceCurrency');
    const price = amount === null ? null : money(amount, own ?? currency);
    if (price !== null) return [price];
  }
  // a price for so much of it (per 100 g) stands beside that of the piece
  const ofThePiece = specifications.filter((node) => !isUnitPrice(node));
  const specified = (ofThePiece.length > 0 ? ofThePiece : specifications).flatMap((node) =>
    pricesOf(node, currency, money, depth + 1),
  );
  // a sale price stands beside the usual one, which has no type
  if (specified.length > 0) return specified;
  const nested = nodesOf(offer, 'offers').flatMap((inner) => pricesOf(inner, currency, money, depth + 1));
  if (nested.length > 0) return nested;
  const high = textValue(offer, 'highPrice');
  const price = high === null ? null : money(high, currency);
  return price === null ? [] : [price];
}

function isUnitPrice(specification: StructuredNode): boolean {
  return (
    specification.properties.has('referenceQuantity') || /UnitPrice/i.test(textValue(specification, 'priceType') ?? '')
  );
}

/** Compares decimal strings without leading zeros, exactly. */
function isLess(a: string, b: string): boolean {
  const [wholeA = '', partA = ''] = a.split('.');
  const [wholeB = '', partB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length < wholeB.length;
  if (wholeA !== wholeB) return wholeA < wholeB;
  const places = Math.max(partA.length, partB.length);
  return partA.padEnd(places, '0') < partB.padEnd(places, '0');
}
