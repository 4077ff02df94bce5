import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { mediaTypeOf } from '../fetch/content-type.js';
import { scanMarkup } from './scan-markup.js';

/** The encoding that a label names, or null for an unknown one, and for those that the standard only ever refuses. */
export function encodingOf(label: string | null | undefined): string | null {
  const name = label == null ? null : normalizeEncoding(label);
  return name === 'replacement' ? null : name;
}

/** The encoding in a Content-Type header, or null. */
export function declaredInHeader(contentType: string | null): string | null {
  return encodingOf(mediaTypeOf(contentType)?.charset);
}

/**
 * The encoding that a document itself declares: the first meta element with a known label, however late it comes; else
 * the XML declaration; else null. HTML Standard, "prescan a byte stream", with two departures that browsers make too:
 * the whole body is looked through, and text inside script, style, title and the like is no markup.
 */
export function declaredInMarkup(body: Uint8Array): string | null {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const head = bytes.subarray(0, 256).toString('latin1');
  if (/^(?:\s\0)*<\0[^\0]\0/.test(head)) return 'utf-16le';
  if (/^(?:\0\s)*\0<\0[^\0]/.test(head)) return 'utf-16be';
  const text = bytes.toString('latin1');
  // XML that is no HTML has no meta elements, and may be 50 MB long
  return isPlainXml(text) ? xmlEncoding(text) : (metaEncoding(text) ?? xmlEncoding(text));
}

/** Markup read as ASCII says that it is: an encoding of two bytes a character can't be meant. */
function fromMarkup(label: string | null): string | null {
  const name = encodingOf(label);
  if (name === 'utf-16le' || name === 'utf-16be') return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

function isPlainXml(text: string): boolean {
  const head = text.slice(0, 1024).replace(/^\xef\xbb\xbf/, '');
  return (
    /^\s*<(?:\?xml\s|[\w.-]*:?(?:urlset|sitemapindex|rss|feed|rdf)\b)/i.test(head) &&
    !/<(?:!doctype\s+)?html/i.test(head)
  );
}

function xmlEncoding(text: string): string | null {
  const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(text.slice(0, 1024));
  return fromMarkup(declaration?.[1] ?? declaration?.[2] ?? null);
}

function metaEncoding(markup: string): string | null {
  // HTML's own look at the bytes knows nothing of scripts that could be off
  for (const token of scanMarkup(markup, { noscript: 'markup' })) {
    const found = 'tag' in token && token.tag === 'meta' ? encodingOfMeta(token.attributes) : null;
    if (found !== null) return found;
  }
  return null;
}

function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | null {
  const charset = attributes.get('charset');
  if (charset !== undefined) return fromMarkup(charset);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null;
  const content = attributes.get('content') ?? '';
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content);
  return fromMarkup(match?.[1] ?? match?.[2] ?? match?.[3] ?? null);
}
