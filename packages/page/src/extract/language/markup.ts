import type { AnyNode } from 'domhandler';
import { cheerio } from '../document/cheerio.js';
import { textOf } from '../document/text.js';

/** The markup inside a node. */
export function render(node: AnyNode): string {
  return cheerio()(node).html() ?? '';
}

/** Text in which markup or entities were left by mistake, as a reader would see it. */
export function textOfMarkup(text: string): string {
  if (!/<[a-z!/]|&(?:#\d+|#x[\da-f]+|[a-z]\w+);/i.test(text)) return text;
  const [root] = cheerio()('<div></div>').html(text);
  return root === undefined ? text : textOf(root);
}
