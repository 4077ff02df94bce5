/** Powers of ten of the units of large numbers in Chinese, Japanese and Korean. */
const UNITS: Readonly<Record<string, number>> = {
  백: 2,
  百: 2,
  천: 3,
  千: 3,
  万: 4,
  萬: 4,
  만: 4,
  亿: 8,
  億: 8,
  억: 8,
};

const TERM = / ?(\d{1,3}(?:,\d{3})+|\d{1,9}) ?((?:[백百천千] ?)?[万萬만亿億억]|[백百천千])?/y;

/** What may follow a number that has no unit: money, and nothing that counts or measures. */
const MONEY = /^ ?[円元원圆圓]/;

/**
 * A number of several terms, each with its unit, such as `1万2,800円`, `3만 9,900원`, `3만9천원`, `1억 2천만원`; or of one with
 * 천 or 백, as in `5천원`. Null where there is none at `start`; others are read without this.
 */
export function readCompound(text: string, start: number): { number: string; end: number } | null {
  let total = 0n;
  let least = Number.POSITIVE_INFINITY;
  let at = start;
  let terms = 0;
  for (;;) {
    TERM.lastIndex = at;
    const [all, digits = '', unit = ''] = TERM.exec(text) ?? [];
    if (all === undefined || (terms === 0 && all.startsWith(' '))) break;
    const places = unit.split('').reduce((sum, sign) => sum + (UNITS[sign] ?? 0), 0);
    const value = BigInt(digits.replaceAll(',', ''));
    const isLast = unit === '';
    // each term is smaller than the unit of the one before; the last needs money behind it
    if (places >= least || value >= 10n ** BigInt(least === Number.POSITIVE_INFINITY ? 18 : least)) break;
    if (isLast && (terms === 0 || !MONEY.test(text.slice(at + all.length)))) break;
    total += value * 10n ** BigInt(places);
    terms += 1;
    at += all.length;
    if (isLast) break;
    least = places;
  }
  const needed = /[백천]/.test(text.slice(start, at)) ? 1 : 2;
  return terms < needed || !MONEY.test(text.slice(at)) ? null : { number: String(total), end: at };
}
