import { centsBehind, marksAfter, marksBefore } from './beside.js';
import { readCompound } from './east-asian.js';
import type { Mark, MarkFinder } from './find-marks.js';
import { saidBefore } from './words.js';

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

/** A point with space beside it (`36. 24`, `12 .99`): cents that are set in an element of their own. */
const SPLIT_CENTS = /(\d) ?([.,]) ?(?<= [.,] ?|[.,] )(\d{2})(?![\d.,]| ?%)/g;

/** `2026-11-30`. */
const DATE = /(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)/g;

/** The same before thousands: `1. 299,00`. */
const SPLIT_GROUP = /(?<![\d.,]|[.,] )[1-9]\d{0,2}(?:(?: [.,]|[.,] | [.,] )\d{3})+(?!\d| ?%)/g;

/** Digits, groups after . , ' or a space; a leading point where nothing but space or a symbol is before it. */
const NUMBER = /(?:(?<![\p{L}\d/.,])[.,]{1,2})?\d+(?:[.,']\d+| \d{3}(?!\d))*/gu;

const MULTIPLIERS: readonly (readonly [RegExp, number])[] = [
  [/ ?[万萬만]/y, 4],
  [/ ?[亿億억]/y, 8],
  [/ ?(?:lakhs?|lacs?)(?!\p{L})/iuy, 5],
  [/ ?(?:crores?|cr)(?!\p{L})/iuy, 7],
  [/ ?(?:billions?|bn|milliards?|mrd\.?|mld\.?|miliard[yów]*|miliar|miliardi?|tỷ|tỉ|млрд)(?!\p{L})/iuy, 9],
  [/ ?(?:millions?|mln|mio\.?|millionen|milh(?:ão|ões)|mill(?:ón|ones)|milioni?|млн|triệu|juta|jt)(?!\p{L})/iuy, 6],
  [/ ?(?:тыс\.?|ribu|rb|tys\.?|tis\.?|nghìn|ngàn)(?!\p{L})/iuy, 3],
];
/** These are other things, too (metres, a thousandth of an inch, a thousand of them): only beside a currency mark. */
const BESIDE_MARKS: readonly (readonly [RegExp, number])[] = [
  [/ ?[kK](?!\p{L})/uy, 3],
  [/ ?(?:mil|bin)(?!\p{L})/uy, 3],
  [/ ?mil\.(?!\p{L})/uy, 6],
  [/[mM](?![\p{L}²³/\d]| ?[x×])/uy, 6],
  [/ M(?=[€$£¥])/uy, 6],
];

/** Units of things, not of money. */
const UNIT =
  /^ ?(?:ml|cl|l|ltr?|kg|g|mg|cm|mm|km|m|m²|inch|in|gb|tb|mb|mah|w|kw|v|hz|pcs|pc|stk|stück|st|шт|x|×|件|个|個|只|つ|ml|days?|hours?|tage?|h|min|reviews?|stars?|人|条|评价)(?![\p{L}])/iu;

/** Marks that are units as often, where they stand behind a number: litres, grams, feet, kilometres. */
const LIKE_A_UNIT = /^(?:l|g|gr|ft|lt|km|kgs|mt|k|p|q|e|le|r|ks|rf|ar|br|db)\.?$/i;

/** Between the two ends of a range. */
const RANGE = /^ ?(?:-|~|to|bis|до|至|à) ?$/u;

/** The numbers of a price text, the likeliest first: beside a mark, then plain ones, then those glued to letters. */
export function findCandidates(input: string, marks: MarkFinder): Candidate[] {
  const undated = input.replace(DATE, ' ');
  const text = undated
    .replace(SPLIT_GROUP, (all, at: number) =>
      UNIT.test(undated.slice(at + all.length)) ? all : all.replaceAll(' ', ''),
    )
    .replace(SPLIT_CENTS, '$1$2$3');
  const found: Ranked[] = [];
  let taken = 0;
  let looked = 0;
  for (const { start, number } of numbersIn(text)) {
    if ((looked += 1) > MAX_NUMBERS) break;
    if (start < taken) continue;
    const ranked = look(text, start, number, marks);
    if (ranked === null) continue;
    taken = ranked.taken;
    const previous = found.at(-1);
    // `9,90 - 19,90 EUR`: the mark at the end is for both
    if (previous?.rank === PLAIN && ranked.rank < PERHAPS_UNIT && RANGE.test(text.slice(previous.end, start))) {
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
  /**
   * From MARKED on: beside a mark; from PERHAPS_UNIT on: beside one that may be a unit; from PLAIN on: beside none. One less
   * where the words before it speak for it, one more where they speak against it.
   */
  readonly rank: number;
  /** Of its digits, and words that belong to them. */
  readonly end: number;
  /** Up to where its cents reach: no number of their own. */
  readonly taken: number;
}

/** A price text has few numbers; of one with many the first are looked at. */
const MAX_NUMBERS = 40;

const MARKED = 1;
const PERHAPS_UNIT = 4;
const PLAIN = 7;

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
  if (/^ ?%/.test(text.slice(end, end + 2)) || /(?<!\d ?)% ?$/.test(text.slice(0, start))) return null;
  if (/^:\d/.test(text.slice(end, end + 2)) || /\d:$/.test(text.slice(0, start))) return null;
  const before = marksBefore(text, start, marks);
  const compound = readCompound(text, start);
  const scale = compound === null ? multiplier(text, end, before.length > 0, marks) : { places: 0, end: compound.end };
  const number = compound?.number ?? digits;
  let after = marksAfter(text, scale.end, marks);
  let cents = scale.end === end ? centsBehind(text, end, before, after) : undefined;
  if (start === 0 && before.length + after.length === 0) {
    // `12 99 €`, and nothing before it
    const digits = /^ (\d{2})(?= ?[^\d\s.,%]|$)/.exec(text.slice(end, end + 6))?.[1];
    if (digits !== undefined) after = marksAfter(text, end + 3, marks);
    if (digits !== undefined && (after.length > 0 || end + 3 === text.length)) cents = { digits, end: end + 3 };
  }
  const rank = rankOf(text, start, end, number, [...before, ...after], before);
  if (rank === Number.POSITIVE_INFINITY) return null;
  // a separator in front is a point, where the number has no other
  const point = /^[.,]+\d+$/.test(number) ? '.' : '';
  const candidate = {
    number: number.replace(/^[.,]+/, point),
    places: scale.places,
    marks: [...before, ...after],
  };
  const whole = cents === undefined ? candidate : { ...candidate, cents: cents.digits };
  return { candidate: whole, rank, end: scale.end, taken: cents?.end ?? scale.end };
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
  const said = saidBefore(head);
  const demoted = said === 'old' ? 1 : said === 'now' ? -1 : 0;
  const isUnit = before.length === 0 && beside.every(({ text: mark }) => LIKE_A_UNIT.test(mark));
  if (beside.length > 0) return (isUnit ? PERHAPS_UNIT : MARKED) + demoted;
  const exact = /[.,]\d{2,3}$/.test(number);
  if (UNIT.test(text.slice(end, end + 12))) return Number.POSITIVE_INFINITY;
  if (/[A-Za-z]-?$/.test(text.slice(Math.max(0, start - 2), start)) && !exact) return Number.POSITIVE_INFINITY;
  return PLAIN + Math.max(0, demoted);
}

function multiplier(text: string, end: number, marked: boolean, marks: MarkFinder): { places: number; end: number } {
  for (const [word, places] of MULTIPLIERS) {
    word.lastIndex = end;
    if (word.test(text)) return { places, end: word.lastIndex };
  }
  for (const [word, places] of BESIDE_MARKS) {
    word.lastIndex = end;
    if (!word.test(text)) continue;
    const next = word.lastIndex;
    if (marked || marks.startingAt(text, text[next] === ' ' ? next + 1 : next)) return { places, end: next };
  }
  return { places: 0, end };
}
