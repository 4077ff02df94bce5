import type { Mark, MarkFinder } from './find-marks.js';

const SKIP_BEFORE = /[\s:(<>~*≈+-]/;

/** Up to two marks in a row: `NZD $100`. */
export function marksBefore(text: string, start: number, marks: MarkFinder): Mark[] {
  const found: Mark[] = [];
  let end = start;
  while (found.length < 2) {
    let edge = end;
    while (edge > 0 && SKIP_BEFORE.test(text[edge - 1] ?? '')) edge -= 1;
    const mark = marks.endingAt(text, edge);
    if (mark === null) break;
    // a mark that touches the number before belongs to that one, if there is space on this side
    if (/\d ?$/.test(text.slice(0, mark.start)) && (edge < end || mark.kind === 'word')) {
      break;
    }
    found.push(mark);
    end = mark.start;
  }
  return found;
}

/** As before the number; signs for no cents (`,-`, `/-`, `.–`) may come first. */
export function marksAfter(text: string, end: number, marks: MarkFinder): Mark[] {
  const found: Mark[] = [];
  let start = end;
  while (found.length < 2) {
    const gap = /^ ?(?:[.,]?[-/]{1,2}|[.,/])? ?\(?/.exec(text.slice(start, start + 6))?.[0] ?? '';
    const mark = marks.startingAt(text, start) ?? marks.startingAt(text, start + gap.length);
    if (mark === null) break;
    // `5 € 7`: the mark is the first number's; `5 €7`: the second's; `5,00 €1`: a footnote's number
    const touches = /^\d/.test(text.slice(mark.end)) && mark.start > start && mark.kind !== 'word';
    const isNote = /^ ?$/.test(text.slice(start, mark.start)) && /[.,]\d{2}$/.test(text.slice(0, end));
    if (touches && !isNote) break;
    found.push(mark);
    start = mark.end;
  }
  return found;
}

/** Small money by its name: `12 руб. 50 коп.`, `5元5角`. */
const SMALL_MONEY =
  /^ ?(\d{1,2}) ?(?:(角)|коп|gr|groszy|ст|分|cts?|cents?|c|øre|öre|ore|¢|bani|paise|krş|kuruş)(?!\p{L})/iu;

/**
 * `35€ 99`, `35€99`, `$35 99`: two digits and no more behind the mark, or behind a space where the mark is in front; small money by
 * its name.
 */
export function centsBehind(
  text: string,
  end: number,
  before: readonly Mark[],
  after: readonly Mark[],
): Cents | undefined {
  const mark = after[0];
  const find = (pattern: RegExp, from: number): Cents | undefined => {
    const [all, digits, tenths] = pattern.exec(text.slice(from)) ?? [];
    if (all === undefined || digits === undefined) return undefined;
    const two = tenths === undefined ? digits.padStart(2, '0') : digits.padEnd(2, '0');
    return { digits: two, end: from + all.length };
  };
  if (mark === undefined) {
    const touching = before[0]?.kind === 'symbol' && before[0].end === end;
    return before.length > 0 && !touching ? find(/^ (\d{2})(?=$|\s*[*(])/, end) : undefined;
  }
  const glued = mark.start === end ? find(/^(\d{2})(?![\d\p{Sc}]|[.,]\d)/u, mark.end) : undefined;
  const apart = mark.kind === 'symbol' ? /^ (\d{2})(?=$|\s*[*(]|\s\D)/ : /^ (\d{2})$/;
  return find(SMALL_MONEY, mark.end) ?? glued ?? find(apart, mark.end);
}

/** Digits that stand apart from the number that they are the cents of. */
export interface Cents {
  /** Two. */
  readonly digits: string;
  /** Where they end. */
  readonly end: number;
}
