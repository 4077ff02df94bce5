import { createMarkFinder } from './find-marks.js';
import { createPriceReader, type PriceReader } from './read-price.js';

export type { Price, PriceContext, PriceReader } from './read-price.js';

/** A reader of price texts, with its tables of currency marks; make one and keep it. */
export function priceReader(): PriceReader {
  return createPriceReader(createMarkFinder());
}
