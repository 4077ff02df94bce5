import { normalizePriceText } from '../price/normalize.js';
import { readNumber, shift } from '../price/read-number.js';

/** The first number in a text, as a decimal string; `1.2万` is 12000. Null where there is none. */
export function readFirstNumber(text: string, decimalSign: '.' | ',' | undefined): string | null {
  const plain = normalizePriceText(text);
  const match = /(-?)((?<![\d.,])[.,])?\d+(?:[.,']\d+| \d{3}(?!\d))*/.exec(plain);
  if (match === null) return null;
  const amount = readNumber(match[0].replace(/^-/, ''), { decimalSign });
  if (amount === null) return null;
  const scale = /^\s*(?:([万萬만])|([亿億억])|([千천])(?![克米瓦卡]))/.exec(plain.slice(match.index + match[0].length));
  const places = scale === null ? 0 : scale[1] !== undefined ? 4 : scale[2] !== undefined ? 8 : 3;
  const scaled = places === 0 ? amount : shift(amount, places);
  return scaled === null || match[1] === '' ? scaled : `-${scaled}`;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * A date in ISO 8601: `2026-11-30`, with `T14:06:00` where the text tells a time, and `Z` or an offset where it tells
 * a zone. Reads year-month-day, 年月日, day.month.year, English month names, and slashes as the locale has them (day
 * first, but in en-US). Null where there is none, or none that exists.
 */
export function readDate(text: string, locale: string | undefined): string | null {
  const plain = normalizePriceText(text);
  const day = dayOf(plain, locale);
  if (day === null) return null;
  const { year, month, date, end } = day;
  const check = new Date(Date.UTC(year, month - 1, date));
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== date) return null;
  const time =
    /^(?:T|,? | ?\D{0,6} )?(?:(上午|午前|早上|凌晨|오전)|(下午|午後|中午|晚上|오후))? ?(\d{1,2})[:时時點点시] ?(\d{1,2})(?:[:分분] ?(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*(Z|[+-]\d{2}:?\d{2})?/i.exec(
      plain.slice(end),
    );
  const iso = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
  return time === null ? iso : `${iso}${clock(time)}`;
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  /** Where the text after it begins. */
  readonly end: number;
}

function dayOf(text: string, locale: string | undefined): Day | null {
  const american = locale !== undefined && /^en-(?:US|PH|FM|PW)/i.test(locale);
  const forms: readonly (readonly [RegExp, 'ymd' | 'dmy' | 'mdy'])[] = [
    [/(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)\s?[日일.]?/, 'ymd'],
    [/(?<!\d)(\d{1,2})[-.]\s?(\d{1,2})[-.]\s?(\d{4})(?!\d)/, 'dmy'],
    [/(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/, american ? 'mdy' : 'dmy'],
    [/(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\.? ([A-Za-z]{3,9})\.?,? (\d{4})(?!\d)/, 'dmy'],
    [/(?<![A-Za-z])([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/, 'mdy'],
  ];
  for (const [form, order] of forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const part = (letter: string): string => match[order.indexOf(letter) + 1] ?? '';
    const month = /^\d/.test(part('m')) ? Number(part('m')) : MONTHS.indexOf(part('m').slice(0, 3).toLowerCase()) + 1;
    if (month === 0) continue;
    return { year: Number(part('y')), month, date: Number(part('d')), end: match.index + match[0].length };
  }
  return null;
}

function clock(match: RegExpExecArray): string {
  const [, morning, afternoon, hours = '', minutes = '', seconds = '0', english, zone = ''] = match;
  const isAfternoon = afternoon !== undefined || english?.toLowerCase() === 'pm';
  const isMorning = morning !== undefined || english?.toLowerCase() === 'am';
  const given = Number(hours);
  // 下午15点 is as good as 15点
  const hour = isAfternoon && given < 12 ? given + 12 : isMorning && given === 12 ? 0 : given;
  const minute = Number(minutes);
  const second = Number(seconds);
  if (hour > 23 || minute > 59 || second > 60) return '';
  return `T${two(hour)}:${two(minute)}:${two(second)}${zone.toUpperCase()}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
