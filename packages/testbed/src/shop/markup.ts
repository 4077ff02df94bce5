import iconv from 'iconv-lite';

export type ShopCharset = 'utf-8' | 'gbk';

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** JSON that may stand in a script element, in a page of any charset. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>]|[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A page's bytes. What GBK has no code for becomes a character reference, as real GBK shops write it. */
export function encodeMarkup(html: string, charset: ShopCharset): Buffer {
  if (charset === 'utf-8') return Buffer.from(html, 'utf8');
  return iconv.encode(
    html.replace(/[^ -~\n]/gu, (character) => (inGbk(character) ? character : `&#${character.codePointAt(0)};`)),
    'gbk',
  );
}

function inGbk(character: string): boolean {
  return iconv.decode(iconv.encode(character, 'gbk'), 'gbk') === character;
}
