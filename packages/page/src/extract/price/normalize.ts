/** Where each block of decimal digits begins that shops write prices with; ten digits follow each other. */
const DIGIT_ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x17e0, 0x1040, 0xff10,
];

const DIGIT =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u17e0-\u17e9\u1040-\u1049]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A price text in one spelling: ASCII digits, plain spaces (one at a time), ASCII separators, no invisible marks.
 * Letters and currency marks stay as they are, but for full-width forms and a space within `AU $`.
 */
export function normalizePriceText(text: string): string {
  return text
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(DIGIT, asciiDigit)
    .replace(INVISIBLE, '')
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replaceAll('\u201a', ',')
    .replace(/[\uffe5\u00a5]/g, '¥')
    .replaceAll('\uffe1', '£')
    .replaceAll('\uffe0', '¢')
    .replaceAll('\uffe6', '₩')
    .replaceAll('\u3000', ' ')
    .replace(/[\u2018\u2019\u02bc\u00b4`\u2032]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d)[·•](?=\d{2}(?!\d))/g, '.')
    .replace(/(?<![\p{L}\d])([A-Z]{1,2}) \$/gu, '$1$$')
    .trim();
}

function asciiDigit(character: string): string {
  const code = character.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((start) => code >= start && code <= start + 9);
  return zero === undefined ? character : String(code - zero);
}
