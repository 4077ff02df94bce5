import type { Document, Element } from 'domhandler';
import type { GoodsRow } from '../goods-row.js';
import type { PriceReader } from '../price/index.js';
import type { StructuredNode } from '../structured/node.js';
import type { CompiledField } from './compile-field.js';
import { readField, type FieldContext, type FieldReading } from './read-field.js';

export interface CardContext extends Omit<FieldContext, 'structured'> {
  readonly readPrice: PriceReader;
  /** The site's currency. */
  readonly currency: string | undefined;
}

/** What the page's structured data tells of a card: its product, or the article that the page is. */
export interface CardData {
  readonly node: StructuredNode;
  readonly row: Pick<GoodsRow, 'currency'>;
}

/** `row` is null where the card is none: a required field is missing, or nothing at all was found in it. */
export interface CardReading {
  readonly row: GoodsRow | null;
  /** Price texts that could not be read. */
  readonly unreadablePrices: number;
}

/** Reads one card by the fields of its goods block. */
export function readCard(
  card: Document | Element,
  fields: readonly CompiledField[],
  context: CardContext,
  product: CardData | null,
): CardReading {
  const readings = new Map<string, FieldReading>();
  for (const field of fields) {
    const reading = readField(field, card, { ...context, structured: product?.node ?? null });
    if (field.required && !reading.found && reading.value === null) return { row: null, unreadablePrices: 0 };
    readings.set(field.name, reading);
  }
  if (![...readings.values()].some((reading) => reading.found)) return { row: null, unreadablePrices: 0 };
  const attributes: Record<string, unknown> = {};
  let unreadablePrices = 0;
  let currency = textOf(readings.get('currency'));
  let price: string | null = null;
  for (const [name, reading] of readings) {
    if (name === 'goods_url' || name === 'goods_name' || name === 'currency') continue;
    if (!reading.found || reading.as !== 'price') {
      if (name === 'price') price = textOf(reading);
      else attributes[name] = reading.value;
      continue;
    }
    const text = textOf(reading) ?? '';
    const told = reading.structured ? (product?.row.currency ?? null) : null;
    const found = context.readPrice(text, {
      currencyText: currency ?? told,
      currency: context.currency,
      // in data the point is before the fraction in every language
      decimalSign: reading.structured ? '.' : context.decimalSign,
    });
    if (found === null && text !== '') {
      unreadablePrices += 1;
      attributes[`${name}_text`] = text;
    }
    if (name !== 'price') attributes[name] = found?.amount ?? null;
    else {
      price = found?.amount ?? null;
      currency = found === null ? codeOf(currency, context) : found.currency;
    }
  }
  if (!readings.has('price')) currency = codeOf(currency, context);
  const row = {
    goods_url: textOf(readings.get('goods_url')),
    goods_name: textOf(readings.get('goods_name')),
    price,
    currency,
    attributes,
  };
  return { row, unreadablePrices };
}

/** The code in a currency text without an amount beside it. */
function codeOf(text: string | null, { readPrice }: CardContext): string | null {
  return text === null ? null : (readPrice('1', { currencyText: text })?.currency ?? null);
}

function textOf(reading: FieldReading | undefined): string | null {
  const value = reading?.value ?? null;
  if (value === null) return null;
  return Array.isArray(value) ? value.map(String).join(' ') : String(value);
}
