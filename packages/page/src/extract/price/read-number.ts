/** What decides how `1.299` is read: a thousand and more, or one and a part. */
export interface NumberStyle {
  /** The locale's sign before the fraction, where it is known. */
  readonly decimalSign?: '.' | ',' | undefined;
  /** Signs before fractions of three digits (dinars have a thousand parts). */
  readonly threeDecimals?: '.' | ',' | '.,' | undefined;
}

/**
 * Reads a number of digits and separators (`1.299,00`, `1 299`, `1'299.50`, `1,23,456.00`, `.75`) into a decimal
 * string: no sign, no leading zeros, digits after the point as they were written. Null where it is none, such as a date.
 *
 * Two kinds of separators: the last is before the fraction. One kind, more than once: thousands, unless two digits are at the end. One separator: before
 * the fraction, but thousands where exactly three digits follow one to three others that are not just 0, and the
 * style says nothing else.
 */
export function readNumber(text: string, style: NumberStyle = {}): string | null {
  const compact = text.replaceAll(' ', '');
  const signs = compact.replace(/\d/g, '');
  const last = signs.at(-1);
  if (last === undefined) return decimal(compact, '');
  const kinds = new Set(signs);
  const lastAt = compact.lastIndexOf(last);
  const head = compact.slice(0, lastAt);
  // a space groups digits as other separators do
  const groups = text.slice(0, text.lastIndexOf(last));
  const tail = compact.slice(lastAt + 1);
  if (head === '') return decimal('', tail);
  if (kinds.size > 2) return null;
  if (kinds.size === 2) {
    const repeated = head.includes(last);
    // 1.234,567,890 is no number in any country
    return repeated || !(isGrouped(head) || isGrouped(groups)) ? null : decimal(head.replace(/\D/g, ''), tail);
  }
  if (signs.length > 1) {
    if (isGrouped(compact)) return decimal(compact.replace(/\D/g, ''), '');
    // 1.234.50: the same sign twice
    return tail.length === 2 && isGrouped(head) ? decimal(head.replace(/\D/g, ''), tail) : null;
  }
  const looksGrouped = tail.length === 3 && /^[1-9]\d{0,2}$/.test(head);
  const isFraction = last === style.decimalSign || style.threeDecimals?.includes(last) === true;
  if (looksGrouped && !(isFraction && last !== "'")) return decimal(head + tail, '');
  return decimal(head, tail);
}

/** Groups of three, or as in India: three at the end, two before. */
function isGrouped(text: string): boolean {
  return /^\d{1,3}(?:\D\d{3})*$/.test(text) || /^\d{1,2}(?:\D\d{2})*\D\d{3}$/.test(text);
}

/** The longest number that a DECIMAL column of MySQL can hold is far longer than any price. */
const MAX_INTEGER_DIGITS = 15;
const MAX_FRACTION_DIGITS = 15;

function decimal(integer: string, fraction: string): string | null {
  const whole = integer.replace(/^0+(?=\d)/, '') || '0';
  if (whole.length > MAX_INTEGER_DIGITS) return null;
  const part = fraction.slice(0, MAX_FRACTION_DIGITS);
  return part === '' ? whole : `${whole}.${part}`;
}

/** `amount` × 10^`places`, exactly. */
export function shift(amount: string, places: number): string | null {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(places, '0');
  return decimal(whole + digits.slice(0, places), digits.slice(places));
}
