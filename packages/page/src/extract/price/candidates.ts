import { centsBehind, marksAfter, marksBefore } from './beside.js';
import type { Mark, MarkFinder } from './find-marks.js';

/** A number in the text that may be the price. */
export interface Candidate {
  /** Digits with their separators. */
  readonly number: string;
  /** Digits behind a mark that stands in place of the point: `35€ 99`. */
  readonly cents?: string;
  /** Powers of ten by a word behind it: 4 for 万. */
  readonly places: number;
  /** Currency marks beside it. */
  readonly marks: readonly Mark[];
}

/** A point with a space on one side (`36. 24`, `12 .99`): cents that are set in an element of their own. */
const SPLIT_CENTS = /(\d)(?: ([.,])|([.,]) )(\d{2})(?![\d.,]| ?%)/g;

/** Digits, groups after . , ' or a space; a leading point where nothing but space or a symbol is before it. */
const NUMBER = /(?:(?<![\p{L}\d/.,])[.,]{1,2})?\d+(?:[.,']\d+| \d{3}(?!\d))*/gu;

const MULTIPLIERS: readonly (readonly [RegExp, number])[] = [
  [/ ?[万萬만]/y, 4],
  [/ ?[亿億억]/y, 8],
  [/ ?(?:lakhs?|lacs?)(?!\p{L})/iuy, 5],
  [/ ?(?:crores?|cr)(?!\p{L})/iuy, 7],
  [/ ?(?:million|mln|mio|млн|triệu|juta|jt)(?!\p{L})/iuy, 6],
  [/ ?(?:тыс|ribu|rb|tys|nghìn|ngàn)(?!\p{L})/iuy, 3],
];
const THOUSANDS_K = /[kK](?!\p{L})/uy;

/** Words before a number that is not what one pays: old prices, savings, postage, least orders. */
const NOT_THE_PRICE =
  /(?:\b(?:was|rrp|msrp|list price|old price|save|saving|savings|off|shipping|delivery|postage|statt|uvp|war|avant|antes|prima|ahorra|sparen|versand|before)|原价|原價|市场价|市場價|划线价|劃線價|吊牌价|立减|立減|省|运费|運費|満|满|старая цена|скидка|доставка)[\s:：]*$/iu;

/** Units of things, not of money. */
const UNIT =
  /^ ?(?:ml|cl|l|kg|g|mg|cm|mm|km|m|m²|inch|in|gb|tb|mb|mah|w|kw|v|hz|pcs|pc|stk|stück|st|шт|x|×|件|个|個|只|つ|ml|days?|hours?|tage?|h|min|reviews?|stars?|人|条|评价)(?![\p{L}])/iu;

/** Between the two ends of a range. */
const RANGE = /^ ?(?:-|~|to|bis|до|至|à) ?$/u;

/** The numbers of a price text, the likeliest first: beside a mark, then plain ones, then those glued to letters. */
export function findCandidates(input: string, marks: MarkFinder): Candidate[] {
  const text = input.replace(SPLIT_CENTS, (_, before: string, spaced: string, point: string, cents: string) => {
    return `${before}${spaced || point}${cents}`;
  });
  const found: Ranked[] = [];
  for (const { start, number } of numbersIn(text)) {
    const ranked = look(text, start, number, marks);
    if (ranked === null) continue;
    const previous = found.at(-1);
    // `9,90 - 19,90 EUR`: the mark at the end is for both
    if (previous?.rank === PLAIN && ranked.rank < PLAIN && RANGE.test(text.slice(previous.end, start))) {
      found.pop();
      found.push({
        ...previous,
        rank: ranked.rank,
        candidate: { ...previous.candidate, marks: ranked.candidate.marks },
      });
    }
    found.push(ranked);
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

interface Ranked {
  readonly candidate: Candidate;
  /** 0 and 1: beside a mark; from PLAIN on: not. Odd: the words before it speak against it. */
  readonly rank: number;
  readonly end: number;
}

const PLAIN = 2;

function* numbersIn(text: string): Generator<{ start: number; number: string }> {
  for (const { 0: all, index } of text.matchAll(NUMBER)) {
    const number = firstNumber(all);
    yield { start: index, number };
    const rest = all.slice(number.length).trimStart();
    if (rest !== '') yield { start: index + all.length - rest.length, number: rest };
  }
}

/** `1 299` is one number, `1234 500` are two: groups follow one to three digits. */
function firstNumber(text: string): string {
  const space = text.indexOf(' ');
  return space < 0 || /^\d{1,3}$/.test(text.slice(0, space)) ? text : text.slice(0, space);
}

function look(text: string, start: number, digits: string, marks: MarkFinder): Ranked | null {
  const end = start + digits.length;
  if (/^ ?%/.test(text.slice(end, end + 2)) || /% ?$/.test(text.slice(0, start))) return null;
  if (/^:\d/.test(text.slice(end, end + 2)) || /\d:$/.test(text.slice(0, start))) return null;
  const before = marksBefore(text, start, marks);
  const scale = multiplier(text, end, before.length > 0, marks);
  const small =
    scale.places === 4 && /^\d+$/.test(digits) ? /^\d{1,4}(?=[円元원])/.exec(text.slice(scale.end))?.[0] : undefined;
  // 3万5000円
  const number = small === undefined ? digits : digits + small.padStart(4, '0');
  const places = small === undefined ? scale.places : 0;
  let after = marksAfter(text, scale.end + (small?.length ?? 0), marks);
  let cents = scale.places === 0 ? centsBehind(text, end, before, after) : undefined;
  if (start === 0 && before.length + after.length === 0) {
    // `12 99 €`, and nothing before it
    const split = /^ (\d{2})(?= ?[^\d\s.,%])/.exec(text.slice(end, end + 6))?.[1];
    if (split !== undefined) after = marksAfter(text, end + 3, marks);
    if (after.length > 0) cents = split;
  }
  const rank = rankOf(text, start, end, number, [...before, ...after], before);
  if (rank === Number.POSITIVE_INFINITY) return null;
  const candidate = { number: number.replace(/^[.,]+/, '.'), places, marks: [...before, ...after] };
  return { candidate: cents === undefined ? candidate : { ...candidate, cents }, rank, end };
}

function rankOf(
  text: string,
  start: number,
  end: number,
  number: string,
  beside: readonly Mark[],
  before: readonly Mark[],
): number {
  const head = text.slice(0, before.at(-1)?.start ?? start);
  const demoted = NOT_THE_PRICE.test(head.slice(-24)) ? 1 : 0;
  if (beside.length > 0) return demoted;
  const exact = /[.,]\d{2}$/.test(number);
  if (UNIT.test(text.slice(end, end + 12))) return Number.POSITIVE_INFINITY;
  if (/[A-Za-z]-?$/.test(text.slice(Math.max(0, start - 2), start)) && !exact) return Number.POSITIVE_INFINITY;
  return PLAIN + demoted;
}

function multiplier(text: string, end: number, marked: boolean, marks: MarkFinder): { places: number; end: number } {
  for (const [word, places] of MULTIPLIERS) {
    word.lastIndex = end;
    if (word.test(text)) return { places, end: word.lastIndex };
  }
  THOUSANDS_K.lastIndex = end;
  if (THOUSANDS_K.test(text)) {
    const next = THOUSANDS_K.lastIndex;
    if (marked || marks.startingAt(text, text[next] === ' ' ? next + 1 : next)) return { places: 3, end: next };
  }
  return { places: 0, end };
}
