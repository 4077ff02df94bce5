import { hasChildren, type AnyNode } from 'domhandler';
import { parseFragment, serialize } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { textOf } from '../document/text.js';

/** The markup inside a node. */
export function render(node: AnyNode): string {
  return hasChildren(node) ? serialize(node, { treeAdapter: adapter }) : '';
}

/** Text in which markup or entities were left by mistake, as a reader would see it. */
export function textOfMarkup(text: string): string {
  if (!/<[a-z!/]|&(?:#\d+|#x[\da-f]+|[a-z]\w+);/i.test(text)) return text;
  return textOf(parseFragment(text, { treeAdapter: adapter }));
}
