import { compile, selectAll, selectOne } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';

/** A CSS selector, ready to be asked. Both look below `root`, never at itself. */
export interface Selector {
  first(root: Document | Element): Element | null;
  all(root: Document | Element): Element[];
}

/** Selectors that speak of the element they are asked from can't be prepared without it. */
const RELATIVE = /^\s*[>+~]|,\s*[>+~]|:scope/;

/** Compiles a selector of CSS 4, and `:contains()`. Throws an Error that says what is wrong with it. */
export function compileSelector(text: string): Selector {
  const pseudo = /::[\w-]+(?:\([^)]*\))?/.exec(text.replace(/"[^"]*"|'[^']*'|\[[^\]]*\]/g, ''))?.[0];
  if (pseudo !== undefined)
    throw new Error(`${pseudo} is not CSS (an attribute is read by @name, text without anything)`);
  const compiled = compile<AnyNode, Element>(text);
  const query = RELATIVE.test(text) ? text : compiled;
  return {
    first: (root) => selectOne<AnyNode, Element>(query, root),
    all: (root) => selectAll<AnyNode, Element>(query, root),
  };
}
