import { TextDecoder } from '@exodus/bytes/encoding.js';

/**
 * How well bytes read in an encoding, from about 1 (as text does) down to below 0. Of two-byte encodings it counts the
 * characters in the rows where the standards put the common ones; of one-byte encodings, the words that hold together.
 */
export function plausibility(sample: Buffer, encoding: string): number {
  const text = new TextDecoder(encoding).decode(sample);
  const rows = ROWS[encoding];
  return rows === undefined
    ? wordScore(text)
    : pairScore(sample, encoding === 'euc-jp' ? text.replace(/[\uFF61-\uFF9F]/g, '') : text, rows);
}

type Rating = 'common' | 'neutral' | 'rare';

/** Rates a two-byte character by its bytes; the rows come from the character sets' own division into levels. */
const ROWS: Readonly<Record<string, (lead: number, trail: number) => Rating>> = {
  gbk: (lead, trail) => {
    if (lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1) return 'common';
    return lead === 0xa1 || lead === 0xa3 ? 'neutral' : 'rare';
  },
  big5: (lead) => {
    if (lead >= 0xa4 && lead <= 0xc6) return 'common';
    return lead >= 0xa1 && lead <= 0xa3 ? 'neutral' : 'rare';
  },
  'euc-kr': (lead, trail) => {
    if (lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) return 'common';
    return lead === 0xa1 || lead === 0xa3 ? 'neutral' : 'rare';
  },
  'euc-jp': (lead) => {
    if (lead === 0x8e) return 'neutral'; // half-width katakana
    if (lead === 0xa4 || lead === 0xa5 || (lead >= 0xb0 && lead <= 0xcf)) return 'common';
    return lead === 0xa1 || lead === 0xa3 ? 'neutral' : 'rare';
  },
  shift_jis: (lead, trail) => {
    if ((lead === 0x82 && trail >= 0x9f) || lead === 0x83 || (lead >= 0x88 && lead <= 0x97)) return 'common';
    return lead === 0x81 || lead === 0x82 ? 'neutral' : 'rare';
  },
};

function pairScore(bytes: Buffer, text: string, rate: (lead: number, trail: number) => Rating): number {
  const counts = { common: 0, neutral: 0, rare: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    counts[rate(lead, bytes[at + 1] ?? 0)] += 1;
    at += 1;
  }
  const rated = Math.max(1, counts.common + counts.rare);
  return (counts.common - 4 * count(text, /[\uFFFD\uE000-\uF8FF\uFF61-\uFF9F]/g)) / rated;
}

const WORD = /[\p{L}\p{M}\uFFFD]+/gu;
const FOREIGN = /[^\p{ASCII}]/gu;
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Thai'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);
/** Characters beyond ASCII that stand beside words in any text. */
const PUNCTUATION = /[\u00a0«»‘’‚“”„‹›–—…•·€£¥°©®™№§¡¿]/u;

function wordScore(text: string): number {
  // ð and þ with the vowels that go with them, each where it can stand
  const isIcelandic = /[áíúæÁÍÚÆ]/.test(text);
  let good = 0;
  let bad = 0;
  for (const [word] of text.matchAll(WORD)) {
    const foreign = count(word, FOREIGN);
    if (foreign === 0) continue;
    const wrong = wrongLetters(word, foreign, isIcelandic);
    bad += wrong;
    good += foreign - wrong;
  }
  for (const [mark] of text.replace(WORD, ' ').matchAll(FOREIGN)) bad += PUNCTUATION.test(mark) ? 0 : 1;
  // Polish and Czech letters side by side are one of the two read in the other's table.
  bad += Math.min(count(text, /[ąęłżśńź]/gi), count(text, /[ščžřťďňěů]/gi));
  // Turkish letters beside those of the north are Baltic ones read in the Turkish table.
  bad += Math.min(count(text, /[ğşĞŞİ]/g), count(text, /[øåæõãàèáëßÿØÅÆÕ]/g));
  // An accent that stands before a capital in Greek tables is a mark of quotation in the other one.
  bad += count(text, /(?<!\p{L})’(?=\p{Script=Greek})/gu);
  return (good - 2 * bad) / Math.max(1, good + bad);
}

/** How many of a word's letters beyond ASCII can't be right where they stand. */
function wrongLetters(word: string, foreign: number, isIcelandic: boolean): number {
  if (/[\uFFFDªº]/u.test(word) || SCRIPTS.filter((script) => script.test(word)).length > 1) return foreign;
  if (/^\p{M}|\p{M}{3}/u.test(word)) return foreign;
  const letters = word.length;
  if (/\p{Script=Latin}/u.test(word) && letters > 2 && foreign > (2 / 3) * letters) return foreign;
  // A capital behind a small letter: in a wrong Cyrillic or Latin table cases come out mixed.
  const mixed = count(word, /(?<=\p{Ll})\p{Lu}/gu) + count(word, /(?<=\p{Lu}\p{Lu})\p{Ll}/gu);
  const northern = isIcelandic ? /^[ðÐ]|(?<!^)[þÞ]/gu : /[ðþÐÞ]/gu;
  return Math.min(foreign, mixed * 2 + count(word, northern));
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
