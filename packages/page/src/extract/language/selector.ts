import type { Document, Element } from 'domhandler';
import { cheerio } from '../document/cheerio.js';

/** A CSS selector, ready to be asked. Both look below `root`, never at itself. */
export interface Selector {
  first(root: Document | Element): Element | null;
  all(root: Document | Element): Element[];
}

/** Checks a selector: CSS 4 and what cheerio adds, such as `:contains()` and `:eq()`. Throws an Error that says what is wrong with it. */
export function compileSelector(text: string): Selector {
  const pseudo = /::[\w-]+(?:\([^)]*\))?/.exec(text.replace(/"[^"]*"|'[^']*'|\[[^\]]*\]/g, ''))?.[0];
  if (pseudo !== undefined)
    throw new Error(`${pseudo} is not CSS (an attribute is read by @name, text without anything)`);
  const $ = cheerio();
  // Asked once of an empty element, so that what is wrong is said now and not at the first page.
  $('<p></p>').find(text);
  return {
    first: (root) => $(root).find(text).get(0) ?? null,
    all: (root) => $(root).find(text).toArray(),
  };
}
