import { isUtf8 } from 'node:buffer';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { analyse } from 'chardet';
import { encodingOf } from './declared.js';
import { plausibility } from './plausibility.js';
import { scanMarkup } from './scan-markup.js';

/** Bytes of text that are looked at: enough to be sure, few enough to cost nothing. */
const SAMPLE_BYTES = 16_384;
const BEYOND_ASCII = /[\u0080-\u00ff]/;

/**
 * Encodings that undeclared pages have been found in, those of many bytes a character first: of two that fit equally
 * the first is taken, and every text of two-byte characters is also some text of one-byte characters.
 */
const CANDIDATES = [
  'euc-kr gbk big5 euc-jp shift_jis',
  'windows-1255 windows-1251 koi8-r koi8-u iso-8859-5 windows-1252 windows-1250 iso-8859-2 windows-1254',
  'windows-1253 iso-8859-7 windows-1256 windows-874 windows-1257 ibm866',
].flatMap((line) => line.split(' '));

/** Tables that differ in a few characters, of which the library knows one or names the wrong one. */
const SIBLINGS: Readonly<Record<string, string>> = {
  'koi8-r': 'koi8-u',
  'iso-8859-2': 'windows-1250',
  'windows-1252': 'windows-1254',
  'windows-1253': 'iso-8859-7',
  'iso-8859-7': 'windows-1253',
  gb18030: 'gbk',
};

/** The confidence (of 100) that chardet gives to an encoding which it merely could not rule out. */
const NOTHING_AGAINST_IT = 10;

/** Confidence in a table that passes to its sibling; less than all, so that the named one is taken where both fit. */
const SIBLING_SHARE = 0.9;

/** Hebrew letters are small Cyrillic ones of windows-1251: where both fit, capitals and ы to я are all missing. */
const HEBREW_BONUS = 0.1;

/** What the library's own confidence (0 to 1) weighs against how the text reads (0 to 1). */
const LIBRARY_WEIGHT = 0.3;

/**
 * Guesses the encoding of bytes for which nothing is declared. UTF-8 and ISO-2022-JP show themselves; for the others
 * chardet's ranking, taken over the text without markup, is weighed with how plausible each reading is: on the little
 * text of a product card chardet alone goes wrong too often (GBK taken for Shift_JIS, Polish for French).
 */
export function detectEncoding(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (isUtf8(withoutCutCharacter(bytes))) return hasJisEscape(bytes) ? 'iso-2022-jp' : 'utf-8';
  const sample = textSample(bytes);
  if (isMostlyUtf8(sample)) return 'utf-8';
  const confidence = new Map<string, number>();
  for (const match of analyse(sample)) {
    if (match.confidence <= NOTHING_AGAINST_IT) continue;
    const name = encodingOf(match.name);
    if (name !== null) raise(confidence, name, match.confidence / 100);
    const sibling = SIBLINGS[name ?? ''];
    if (sibling !== undefined) raise(confidence, sibling, (match.confidence / 100) * SIBLING_SHARE);
  }
  let best = { name: 'windows-1252', score: 0 };
  for (const name of CANDIDATES) {
    const bonus = name === 'windows-1255' ? HEBREW_BONUS : LIBRARY_WEIGHT * (confidence.get(name) ?? 0);
    const score = plausibility(sample, name) + bonus;
    if (score > best.score) best = { name, score };
  }
  return best.name;
}

function raise(confidence: Map<string, number>, name: string, value: number): void {
  confidence.set(name, Math.max(value, confidence.get(name) ?? 0));
}

function hasJisEscape(bytes: Buffer): boolean {
  return ['\u001b$B', '\u001b$@', '\u001b(J', '\u001b(I'].some((escape) => bytes.includes(escape, 0, 'latin1'));
}

/** A body cut off at a limit may end within a character of up to four bytes. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

/** One broken byte does not make a UTF-8 page anything else: no other encoding gives whole sequences so often. */
function isMostlyUtf8(sample: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(sample);
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === '\uFFFD') broken += 1;
    else if (character > '\u007f') whole += 1;
  }
  return whole > 10 * broken;
}

/** The text of a page without markup; of a long one, what stands around bytes beyond ASCII. */
function textSample(bytes: Buffer): Buffer {
  let sample = '';
  for (const token of scanMarkup(bytes.toString('latin1'))) {
    if (!('text' in token) || !BEYOND_ASCII.test(token.text)) continue;
    sample += ` ${token.text.replace(/&#?\w+;|[ \t\r\n\d]+/g, ' ')}`;
    if (sample.length >= SAMPLE_BYTES) break;
  }
  return Buffer.from(sample.slice(0, SAMPLE_BYTES), 'latin1');
}
