import { getBOMEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import { declaredInHeader, declaredInMarkup } from './declared.js';
import { detectEncoding } from './detect.js';

/** How the encoding was found: the order is the order of trust (HTML Standard, "determining the character encoding"). */
export type CharsetSource = 'bom' | 'header' | 'markup' | 'detected';

export interface DecodedText {
  readonly text: string;
  /** WHATWG name in lower case: `utf-8`, `gbk`, `windows-1252`. */
  readonly charset: string;
  readonly source: CharsetSource;
  /** Characters that the bytes did not give (U+FFFD): a wrong charset or a broken page has many. */
  readonly replacementCharacters: number;
}

/**
 * Turns a body into text: byte order mark, then the Content-Type header, then what the markup declares anywhere in the
 * body, then the bytes themselves. Labels are WHATWG's (gb2312 means GBK); an unknown one falls through. Decoding is by
 * @exodus/bytes: Node 20's own TextDecoder departs from the standard for windows-1252, Big5, EUC-KR and Shift_JIS.
 */
export function decodeBody(body: Uint8Array, contentType: string | null): DecodedText {
  const { charset, source } = findCharset(body, contentType);
  const text = new TextDecoder(charset).decode(body);
  return { text, charset, source, replacementCharacters: countReplacements(text) };
}

function findCharset(body: Uint8Array, contentType: string | null): { charset: string; source: CharsetSource } {
  const mark = getBOMEncoding(body);
  if (mark !== null) return { charset: mark, source: 'bom' };
  const header = declaredInHeader(contentType);
  if (header !== null) return { charset: header, source: 'header' };
  const markup = declaredInMarkup(body);
  if (markup !== null) return { charset: markup, source: 'markup' };
  return { charset: detectEncoding(body), source: 'detected' };
}

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) count += 1;
  return count;
}
