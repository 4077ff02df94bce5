/** A start tag with its attributes (names in lower case, the first of one name kept), or a stretch of text. */
export type MarkupToken =
  | { readonly tag: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly text: string };

/** Elements whose content is no markup, and how it ends. */
const RAW_TEXT = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes|noscript)$/;
/** Of those, the ones that a reader sees. */
const VISIBLE = /^(?:title|textarea|noscript)$/;
const TAG_NAME = /[a-z][^\s/>]*/iy;

/**
 * Walks through markup of which the encoding is not known yet (bytes as Latin-1): start tags and visible text, without
 * comments, declarations and end tags. `noscript`: what its content counts as. In time that grows with the length, whatever is left unclosed.
 */
export function* scanMarkup(
  markup: string,
  { noscript = 'text' }: { noscript?: 'text' | 'markup' } = {},
): Generator<MarkupToken> {
  const unclosed = new Set<string>();
  for (let at = 0; at < markup.length;) {
    const open = markup.indexOf('<', at);
    const textEnd = open < 0 ? markup.length : open;
    if (textEnd > at) yield { text: markup.slice(at, textEnd) };
    if (open < 0) return;
    at = open + 1;
    if (markup.startsWith('!--', at)) {
      // `<!-->` is a whole comment, so its end may share the dashes of its start.
      const end = markup.indexOf('-->', at + 1);
      if (end < 0) return;
      at = end + 3;
      continue;
    }
    const closing = markup[at] === '/';
    TAG_NAME.lastIndex = closing ? at + 1 : at;
    const name = TAG_NAME.exec(markup)?.[0].toLowerCase();
    if (name === undefined) {
      if (!/[!/?]/.test(markup[at] ?? '')) continue;
      const end = markup.indexOf('>', at);
      if (end < 0) return;
      at = end + 1;
      continue;
    }
    const { attributes, end } = readAttributes(markup, TAG_NAME.lastIndex);
    at = end;
    if (closing) continue;
    yield { tag: name, attributes };
    if (!RAW_TEXT.test(name) || unclosed.has(name) || (name === 'noscript' && noscript === 'markup')) continue;
    const close = new RegExp(`</${name}[\\s/>]`, 'gi');
    close.lastIndex = at;
    const found = close.exec(markup);
    if (found === null) {
      unclosed.add(name);
    } else {
      if (VISIBLE.test(name)) yield { text: markup.slice(at, found.index) };
      at = found.index;
    }
  }
}

const ATTRIBUTE = /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?|(=))/y;

function readAttributes(markup: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(markup);
    if (match === null) break;
    at = ATTRIBUTE.lastIndex;
    const name = match[1]?.toLowerCase();
    if (name !== undefined && !attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '');
  }
  const end = markup.indexOf('>', at);
  return { attributes, end: end < 0 ? markup.length : end + 1 };
}
