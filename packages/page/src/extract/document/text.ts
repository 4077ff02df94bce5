import { hasChildren, isTag, isText, type AnyNode, type Element } from 'domhandler';

const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'head']);

/** Elements that stand apart from the text around them, so that their words must not run together with it. */
const APART = new Set(
  (
    'address article aside blockquote br dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr li main nav ol option p pre section select summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Longest text that is taken of one element, in UTF-16 units; what follows is left out. */
const MAX_TEXT = 100_000;

const STRUCK_OUT = new Set(['del', 's', 'strike']);

interface Collector {
  text: string;
  /** Leave out struck-out prices, and keep cents that are set high apart. */
  readonly price: boolean;
}

/** The text that a reader sees in a node, white space as it stands in the source. */
export function textOf(node: AnyNode): string {
  return collect(node, false);
}

/** The text of a node's own, without that of its children. */
export function ownTextOf(element: Element): string {
  let text = '';
  for (const child of element.children) if (isText(child)) text += child.data;
  return text.slice(0, MAX_TEXT);
}

/** The text of a price element: without an old price that is struck out, where there is another beside it. */
export function priceTextOf(node: AnyNode): string {
  const text = collect(node, true);
  return /\d/.test(text) ? text : collect(node, false);
}

function collect(node: AnyNode, price: boolean): string {
  const collector: Collector = { text: '', price };
  if (isText(node)) return node.data.slice(0, MAX_TEXT);
  if (hasChildren(node)) for (const child of node.children) append(child, collector);
  return collector.text;
}

/** Recursion is bounded by the nesting that a document may have. */
function append(node: AnyNode, into: Collector): void {
  if (isText(node)) {
    into.text += node.data.slice(0, MAX_TEXT - into.text.length);
    return;
  }
  if (
    into.text.length >= MAX_TEXT ||
    !isTag(node) ||
    UNSEEN.has(node.name) ||
    (into.price && STRUCK_OUT.has(node.name))
  )
    return;
  const apart = APART.has(node.name) || (into.price && node.name === 'sup');
  if (apart) into.text += ' ';
  for (const child of node.children) append(child, into);
  if (apart) into.text += ' ';
}

/** Runs of white space, no-break spaces too, become one space; none stays at the ends. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
