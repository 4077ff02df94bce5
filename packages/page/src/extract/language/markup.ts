import * as cheerio from 'cheerio';
import { hasChildren, type AnyNode } from 'domhandler';
import { textOf } from '../document/text.js';

/** The markup inside a node. */
export function render(node: AnyNode): string {
  if (!hasChildren(node)) return '';
  const $ = cheerio.load('');
  return node.children.map((child) => $.html(child)).join('');
}

/** Text in which markup or entities were left by mistake, as a reader would see it. */
export function textOfMarkup(text: string): string {
  if (!/<[a-z!/]|&(?:#\d+|#x[\da-f]+|[a-z]\w+);/i.test(text)) return text;
  const [root] = cheerio.load(text, null, false).root();
  return root === undefined ? text : textOf(root);
}
