import type { Document } from 'domhandler';
import { parse } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';

export interface DocumentLimits {
  readonly maxElements: number;
  /** Elements open within each other. */
  readonly maxNesting: number;
}

export type ParsedHtml = { readonly document: Document } | { readonly tooComplex: string };

/** Selectors such as :nth-child count their way through an element's siblings, for each of them. */
const MAX_CHILDREN = 20_000;

/** Attributes of one element are compared with each other while it is read, so their number must be bounded too. */
const MAX_ATTRIBUTES = 500;

/**
 * Parses a page as browsers do (WHATWG HTML, scripting off: what stands in <noscript> counts), once, and stops where
 * it would take too long: the time for a document grows with its elements times their nesting. The nodes are those that
 * cheerio works on (see cheerio.ts).
 */
export function parseHtml(html: string, limits: DocumentLimits): ParsedHtml {
  if (hasOverloadedTag(html)) return { tooComplex: `an element has more than ${MAX_ATTRIBUTES} attributes` };
  let elements = 0;
  let nesting = 0;
  try {
    const document = parse<Htmlparser2TreeAdapterMap>(html, {
      scriptingEnabled: false,
      treeAdapter: {
        ...adapter,
        createElement(tagName, namespace, attributes) {
          elements += 1;
          if (elements > limits.maxElements) throw new TooComplex(`more than ${limits.maxElements} elements`);
          return adapter.createElement(tagName, namespace, attributes);
        },
        appendChild(parent, child) {
          if (parent.children.length >= MAX_CHILDREN)
            throw new TooComplex(`an element has more than ${MAX_CHILDREN} children`);
          adapter.appendChild(parent, child);
        },
        onItemPush() {
          nesting += 1;
          if (nesting > limits.maxNesting) throw new TooComplex(`elements nested deeper than ${limits.maxNesting}`);
        },
        onItemPop() {
          nesting -= 1;
        },
      },
    });
    return { document };
  } catch (error) {
    if (error instanceof TooComplex) return { tooComplex: error.message };
    throw error;
  }
}

/** Ends the parser from within; never leaves this file. */
class TooComplex extends Error {}

/** Parts of a tag: a quoted value, its end, a gap before a further attribute, anything else. */
const TAG_PART = /=\s*"[^"]*"?|=\s*'[^']*'?|>|[\s/]+|[^\s/>=]+|=/g;
const RAW_TEXT_END = /<\/(?:script|style)/gi;

/** Looks for such an element without parsing; quick, since all but tags is passed over. */
function hasOverloadedTag(html: string): boolean {
  const tag = /<(?:(script|style)\b|[a-z])/gi;
  const part = new RegExp(TAG_PART);
  const rawTextEnd = new RegExp(RAW_TEXT_END);
  for (let start = tag.exec(html); start !== null; start = tag.exec(html)) {
    part.lastIndex = tag.lastIndex;
    let gaps = 0;
    for (let found = part.exec(html); found !== null && found[0] !== '>'; found = part.exec(html)) {
      if (/^[\s/]/.test(found[0]) && (gaps += 1) > MAX_ATTRIBUTES) return true;
    }
    // the last tag has no end
    if (part.lastIndex === 0) return false;
    tag.lastIndex = part.lastIndex;
    if (start[1] === undefined) continue;
    // what looks like a tag in a script is none
    rawTextEnd.lastIndex = part.lastIndex;
    if (rawTextEnd.exec(html) === null) return false;
    tag.lastIndex = rawTextEnd.lastIndex;
  }
  return false;
}
