import iconv from 'iconv-lite';

export type ShopCharset = 'utf-8' | 'gbk';

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** JSON that may stand in a script element, in a page of any charset. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>]|[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export type Encoder = (html: string) => Buffer;

/** Makes bytes of markup. What GBK has no code for becomes a character reference, as real GBK shops write it. */
export function makeEncoder(charset: ShopCharset): Encoder {
  if (charset === 'utf-8') return (html) => Buffer.from(html, 'utf8');
  const written = new Map<string, string>();
  const write = (character: string): string => {
    const known = written.get(character);
    if (known !== undefined) return known;
    const inGbk = iconv.decode(iconv.encode(character, 'gbk'), 'gbk') === character;
    const text = inGbk ? character : `&#${character.codePointAt(0)};`;
    written.set(character, text);
    return text;
  };
  return (html) => iconv.encode(html.replaceAll(/[^ -~\n]/gu, write), 'gbk');
}
