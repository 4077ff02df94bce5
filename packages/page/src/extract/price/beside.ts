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
    const gap = /^(?:[.,]?[-/]{1,2}|[.,/])? ?\(?/.exec(text.slice(start, start + 5))?.[0] ?? '';
    const mark = marks.startingAt(text, start) ?? marks.startingAt(text, start + gap.length);
    if (mark === null) break;
    // `5 € 7`: the mark is the first number's; `5 €7`: the second's
    if (/^\d/.test(text.slice(mark.end)) && mark.start > start && mark.kind !== 'word') break;
    found.push(mark);
    start = mark.end;
  }
  return found;
}

/** `35€ 99`, `$35 99`: two digits and no more behind the mark, or behind a space where the mark is in front. */
export function centsBehind(
  text: string,
  end: number,
  before: readonly Mark[],
  after: readonly Mark[],
): string | undefined {
  const mark = after[0];
  if (mark?.kind === 'symbol') return /^ ?(\d{2})(?=$|\s*[*(]|\s\D)/.exec(text.slice(mark.end))?.[1];
  if (before[0]?.kind === 'symbol' && before[0].end === end) return undefined;
  return before.length > 0 && mark === undefined ? /^ (\d{2})(?=$|\s*[*(])/.exec(text.slice(end))?.[1] : undefined;
}
