import { CODE_ALIASES, currencyCodes, currencyMarks } from './marks.js';

/** A currency mark found in a text. */
export interface Mark {
  /** Currencies that it may stand for; none: money, but of a unit without a code. */
  readonly codes: readonly string[];
  /** How sure one can be that it is a mark at all. */
  readonly kind: 'code' | 'symbol' | 'word';
  readonly text: string;
  /** Where it begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** Finds currency marks beside numbers, or anywhere. */
export interface MarkFinder {
  endingAt(text: string, end: number): Mark | null;
  startingAt(text: string, start: number): Mark | null;
  /** The marks that stand out from words around them: symbols, and codes in capitals. */
  anywhere(text: string): Mark[];
  /** The mark that the whole text is, such as `zł` or `usd`. */
  whole(text: string): Mark | null;
}

/** Codes that are words too: only their capitals are codes, and a symbol beside them says more. */
const CODES_LIKE_WORDS = new Set(
  'ALL TOP TRY CUP PEN COP MOP GEL SOS MAD NAD BAM BOB LAK ANG STD DOP KGS ESP FIM SIT'.split(' '),
);
/** Marks of two letters that are written in any case; of others that short, the case decides (KM is money, km a way). */
const SHORT_IN_ANY_CASE = new Set('kr zl kc tl rs rp ft rm tk'.split(' '));

const LETTER = /\p{L}|\p{M}/u;
/** Scripts that put no space between words: a mark may touch them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}]/u;

export function createMarkFinder(): MarkFinder {
  const exact = new Map(currencyMarks());
  const anyCase = new Map<string, readonly string[]>();
  let longest = 3;
  for (const [mark, codes] of exact) {
    longest = Math.max(longest, mark.length);
    const lower = mark.toLowerCase();
    const ascii = /^[\x20-\x7e]*$/.test(mark);
    const short = mark.length === 2 && ascii && !mark.endsWith('$') && !SHORT_IN_ANY_CASE.has(lower);
    if (mark.length < 2 || short) continue;
    const known = anyCase.get(lower) ?? [];
    anyCase.set(lower, [...known, ...codes.filter((code) => !known.includes(code))]);
  }
  const isoCodes = currencyCodes();
  // most places in a text hold no mark: its first and last characters tell so at once
  const firsts = new Set<string>();
  const lasts = new Set<string>();
  for (const word of [...exact.keys(), ...anyCase.keys(), ...isoCodes].flatMap((mark) => [mark, mark.toLowerCase()])) {
    for (const spelling of [word, word.toUpperCase()]) {
      firsts.add(spelling.charAt(0));
      lasts.add(spelling.charAt(spelling.length - 1));
    }
  }

  function lookUp(text: string, start: number, end: number): Mark | null {
    const piece = text.slice(start, end);
    const upper = piece.toUpperCase();
    if (piece.length === 3 && isoCodes.has(upper) && (piece === upper || !CODES_LIKE_WORDS.has(upper))) {
      const kind = CODES_LIKE_WORDS.has(upper) ? 'word' : 'code';
      if (exact.get(piece)?.length !== 0)
        return { codes: [CODE_ALIASES.get(upper) ?? upper], kind, text: piece, start, end };
    }
    const codes = exact.get(piece) ?? anyCase.get(piece.toLowerCase());
    if (codes === undefined) return null;
    return { codes, kind: LETTER.test(piece) && !/[$£¥€]/.test(piece) ? 'word' : 'symbol', text: piece, start, end };
  }

  function startingAt(text: string, start: number): Mark | null {
    if (!firsts.has(text.charAt(start))) return null;
    for (let end = Math.min(text.length, start + longest); end > start; end -= 1) {
      const mark = lookUp(text, start, end);
      if (mark && !joins(text[end - 1], text[end])) return mark;
    }
    return null;
  }

  return {
    startingAt,
    endingAt(text, end) {
      if (!lasts.has(text.charAt(end - 1))) return null;
      for (let start = Math.max(0, end - longest); start < end; start += 1) {
        const mark = lookUp(text, start, end);
        if (mark && !joins(text[start - 1], text[start])) return mark;
      }
      return null;
    },
    anywhere(text) {
      const found = [...text.matchAll(/\p{Sc}|[元円원]|(?<!\p{L})[A-Z]{3}(?!\p{L})/gu)].map(({ index }) =>
        startingAt(text, index),
      );
      return found.filter(
        (mark) => mark !== null && mark.codes.length > 0 && !CODES_LIKE_WORDS.has(mark.text),
      ) as Mark[];
    },
    whole(text) {
      const mark = text.length <= longest ? lookUp(text, 0, text.length) : null;
      return mark !== null && CODES_LIKE_WORDS.has(mark.text) ? { ...mark, kind: 'code' } : mark;
    },
  };
}

/** Whether two characters that stand side by side belong to one word. */
function joins(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || !LETTER.test(left) || !LETTER.test(right)) return false;
  return !UNSPACED.test(left) && !UNSPACED.test(right);
}
