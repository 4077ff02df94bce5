import type { Mark, MarkFinder } from './find-marks.js';
import { findCandidates, type Candidate } from './candidates.js';
import { USUAL_MEANING } from './marks.js';
import { normalizePriceText } from './normalize.js';
import { readNumber, shift, type NumberStyle } from './read-number.js';

export interface Price {
  /** Decimal string, exact: `1299.00`. */
  readonly amount: string;
  /** ISO 4217; null where neither the text nor the site says which. */
  readonly currency: string | null;
}

export interface PriceContext {
  /** Text of a field of its own that names the currency: `EUR`, `€`, `Price in zł`. */
  readonly currencyText?: string | null | undefined;
  /** The site's currency: where nothing is said, and where a mark could mean it. */
  readonly currency?: string | undefined;
  /** The site's sign before fractions, from its locale. */
  readonly decimalSign?: '.' | ',' | undefined;
}

export type PriceReader = (text: string, context?: PriceContext) => Price | null;

/** Long texts are no prices; this bounds the time for one. */
const MAX_TEXT = 1000;

const FREE = /^(?:free|gratis|kostenlos|gratuit|gratuito|bezpłatnie|zdarma|бесплатно|無料|免费|免費|무료)[!.*]?$/i;

const DECIMAL_SIGN_OF_THREE: Readonly<Record<string, '.' | '.,'>> = {
  BHD: '.',
  IQD: '.',
  JOD: '.',
  KWD: '.',
  OMR: '.',
  LYD: '.,',
  TND: '.,',
};

/**
 * Makes the function that reads amount and currency from the text of a price element, in the spellings of shops all
 * over the world. It takes the first number that stands beside a currency mark, else the first that can be a price;
 * null where there is none. An old price beside a new one is for the site's selectors to tell apart.
 */
export function createPriceReader(marks: MarkFinder): PriceReader {
  return (input, context = {}) => {
    if (input.length > MAX_TEXT) return null;
    const text = normalizePriceText(input);
    const hints = marksOfHint(context.currencyText, marks);
    const candidates = findCandidates(text, marks);
    for (const candidate of candidates) {
      const found = candidate.marks.length > 0 ? candidate.marks : sorted(marks.anywhere(text)).slice(0, 1);
      const currency = chooseCurrency(found, hints, context.currency, text);
      const amount = amountOf(candidate, {
        decimalSign: context.decimalSign,
        threeDecimals: DECIMAL_SIGN_OF_THREE[currency ?? ''],
      });
      if (amount !== null) return { amount, currency };
    }
    return FREE.test(text) ? { amount: '0', currency: chooseCurrency([], hints, context.currency, text) } : null;
  };
}

function amountOf(candidate: Candidate, style: NumberStyle): string | null {
  const amount = readNumber(candidate.number, style);
  if (amount === null) return null;
  if (candidate.cents !== undefined) return amount.includes('.') ? amount : `${amount}.${candidate.cents}`;
  return candidate.places === 0 ? amount : shift(amount, candidate.places);
}

/** Data is sometimes escaped twice. */
const ENTITIES: Readonly<Record<string, string>> = { euro: '€', pound: '£', yen: '¥' };

function marksOfHint(hint: string | null | undefined, marks: MarkFinder): Mark[] {
  if (hint === null || hint === undefined || hint.length > MAX_TEXT) return [];
  const text = normalizePriceText(
    hint.replace(/&(euro|pound|yen);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? ''),
  );
  const whole = marks.whole(text);
  if (whole) return [whole];
  const beside = findCandidates(text, marks)[0]?.marks ?? [];
  if (beside.length > 0) return [...beside];
  const inWords = text.split(/[ ()[\],:;/]+/).map((word) => marks.whole(word));
  return sorted([...marks.anywhere(text), ...inWords.filter((mark) => mark !== null)]).slice(0, 1);
}

const SURENESS: Readonly<Record<Mark['kind'], number>> = { code: 0, symbol: 1, word: 2 };

/** One currency out of the marks beside the number, those of the currency field, the site's own, and the language. */
function chooseCurrency(
  beside: readonly Mark[],
  hints: readonly Mark[],
  site: string | undefined,
  text: string,
): string | null {
  // a field that names a code is clearer than any mark; else what stands beside the number counts first
  const code = hints.find((mark) => mark.kind === 'code');
  if (code) return code.codes[0] ?? null;
  const all = [...sorted(beside), ...sorted(hints)];
  const inOrder = all.filter((mark) => !isOutvoted(mark, all));
  const sure = inOrder.find((mark) => mark.codes.length === 1);
  const open = inOrder.filter((mark) => mark.codes.length > 1);
  const first = open[0];
  if (sure && (beside.includes(sure) || first === undefined || first.codes.includes(sure.codes[0] ?? ''))) {
    return sure.codes[0] ?? null;
  }
  if (first === undefined) return inOrder.length > 0 ? null : (site ?? null);
  const possible = open.reduce<readonly string[]>((left, { codes }) => {
    const both = left.filter((one) => codes.includes(one));
    return both.length > 0 ? both : left;
  }, first.codes);
  if (site !== undefined && possible.includes(site)) return site;
  if (possible.length === 1) return possible[0] ?? null;
  const spoken = possible.find((one) => LANGUAGE[one]?.test(text) === true);
  return spoken ?? open.map((mark) => USUAL_MEANING.get(mark.text)).find((one) => one !== undefined) ?? null;
}

/** Marks that are common words, too. */
const LIKE_A_WORD = /^(?:[A-Z]{3}|Nu)$/;

/** `COFFEE CUP $12.50`: a mark of another currency says that the word was only a word. */
function isOutvoted(mark: Mark, all: readonly Mark[]): boolean {
  if (mark.kind !== 'word' || !LIKE_A_WORD.test(mark.text)) return false;
  return all.some(
    ({ codes, text }) =>
      codes.length > 0 && !LIKE_A_WORD.test(text) && !mark.codes.some((code) => codes.includes(code)),
  );
}

/** Words and letters that only one of the countries with the mark ¥ uses. */
const LANGUAGE: Readonly<Record<string, RegExp>> = {
  JPY: /[\p{sc=Hira}\p{sc=Kana}]|税込|税抜|価格|送料|販売|円/u,
  CNY: /[价券现折减仅卖购惠领满]|特惠|包邮/u,
};

function sorted(marks: readonly Mark[]): Mark[] {
  return marks.toSorted((a, b) => SURENESS[a.kind] - SURENESS[b.kind]);
}
