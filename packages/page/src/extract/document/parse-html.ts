import * as cheerio from 'cheerio';
import type { Document } from 'domhandler';
import { adapter } from 'parse5-htmlparser2-tree-adapter';

export interface DocumentLimits {
  readonly maxElements: number;
  /** Elements open within each other. */
  readonly maxNesting: number;
}

export type ParsedHtml = { readonly document: Document } | { readonly tooComplex: string };

/** Attributes of one element are compared with each other while it is read, so their number must be bounded too. */
const MAX_ATTRIBUTES = 5_000;

/**
 * Parses a page as browsers do (WHATWG HTML, scripting off: what stands in <noscript> counts), once, and stops where
 * it would take too long: the time for a document grows with its elements times their nesting.
 */
export function parseHtml(html: string, limits: DocumentLimits): ParsedHtml {
  if (hasOverloadedTag(html)) return { tooComplex: `an element has more than ${MAX_ATTRIBUTES} attributes` };
  let elements = 0;
  let nesting = 0;
  try {
    const load = cheerio.load(html, {
      scriptingEnabled: false,
      treeAdapter: {
        ...adapter,
        createElement(tagName, namespace, attributes) {
          elements += 1;
          if (elements > limits.maxElements) throw new TooComplex(`more than ${limits.maxElements} elements`);
          return adapter.createElement(tagName, namespace, attributes);
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
    const [document] = load.root();
    return document === undefined ? { tooComplex: 'no document' } : { document };
  } catch (error) {
    if (error instanceof TooComplex) return { tooComplex: error.message };
    throw error;
  }
}

/** Ends the parser from within; never leaves this file. */
class TooComplex extends Error {}

const TAG = /<[a-z]/gi;
/** Parts of a tag: a quoted value, its end, a gap before a further attribute, anything else. */
const TAG_PART = /=\s*"[^"]*"?|=\s*'[^']*'?|>|[\s/]+|[^\s/>=]+|=/g;

function hasOverloadedTag(html: string): boolean {
  // shorter than that many attributes can be
  if (html.length < MAX_ATTRIBUTES * 2) return false;
  TAG.lastIndex = 0;
  while (TAG.test(html)) {
    TAG_PART.lastIndex = TAG.lastIndex;
    let gaps = 0;
    for (let part = TAG_PART.exec(html); part !== null && part[0] !== '>'; part = TAG_PART.exec(html)) {
      if (/^[\s/]/.test(part[0]) && (gaps += 1) > MAX_ATTRIBUTES) return true;
    }
    TAG.lastIndex = Math.max(TAG.lastIndex, TAG_PART.lastIndex);
    if (TAG_PART.lastIndex === 0) return false;
  }
  return false;
}
