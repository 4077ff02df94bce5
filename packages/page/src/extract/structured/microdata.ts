import { isTag, type AnyNode, type Element } from 'domhandler';
import { priceTextOf, squeeze, textOf } from '../document/text.js';
import { localName, type StructuredNode, type StructuredValue } from './node.js';

/** Attributes that hold an element's value, by element (WHATWG HTML, 5.2.4). */
const VALUE_ATTRIBUTE: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
  data: 'value',
  meter: 'value',
  time: 'datetime',
};

/** The items of a page that are no property of another. `items`: all elements with itemscope, in page order. */
export function readMicrodata(items: readonly Element[]): StructuredNode[] {
  const roots = items.filter((item) => item.attribs['itemprop'] === undefined || !isWithinItem(item));
  if (roots.length === 0) return [];
  let byId: Map<string, Element> | undefined;
  const elementById = (id: string): Element | undefined => {
    byId ??= indexIds(roots[0]);
    return byId.get(id);
  };
  return roots.map((root) => readItem(root, elementById, new Set()));
}

function readItem(item: Element, elementById: (id: string) => Element | undefined, open: Set<Element>): StructuredNode {
  const properties = new Map<string, StructuredValue[]>();
  const { itemtype = '', itemid } = item.attribs;
  open.add(item);
  const referred = words(item.attribs['itemref']).map(elementById);
  const pending: AnyNode[] = [...item.children, ...referred.filter((element) => element !== undefined)].toReversed();
  const seen = new Set<AnyNode>();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // itemref may lead back into the item itself
    if (!isTag(node) || seen.has(node) || open.has(node)) continue;
    seen.add(node);
    const isItem = node.attribs['itemscope'] !== undefined;
    const names = words(node.attribs['itemprop']);
    if (names.length > 0) {
      const value = isItem
        ? readItem(node, elementById, open)
        : valueOf(
            node,
            names.some((name) => PRICES.test(name)),
          );
      for (const name of names) {
        // an item and an address in one: <a itemprop="name url"> is a name by its text
        const own = typeof value === 'string' && name === 'name' && node.name === 'a' ? squeeze(textOf(node)) : value;
        const list = properties.get(localName(name));
        if (list) list.push(own);
        else properties.set(localName(name), [own]);
      }
    }
    if (!isItem) for (let index = node.children.length - 1; index >= 0; index -= 1) push(pending, node.children[index]);
  }
  open.delete(item);
  return { types: words(itemtype).map(localName), id: itemid?.trim() ?? null, properties };
}

/** A property of no item at all is an item like any other. */
function isWithinItem(element: Element): boolean {
  for (let node: AnyNode | null = element.parent; node !== null; node = node.parent) {
    if (isTag(node) && node.attribs['itemscope'] !== undefined) return true;
  }
  return false;
}

const PRICES = /(?:^|[/#:])(?:price|lowPrice|highPrice)$/;

function valueOf(element: Element, isPrice: boolean): string {
  // by the standard only <meta> has it, in practice any element may
  const { content } = element.attribs;
  if (content !== undefined && (content !== '' || element.name === 'meta')) return content;
  if (element.name === 'meta' || element.name === 'input') return element.attribs['value'] ?? '';
  const attribute = VALUE_ATTRIBUTE[element.name];
  const value = attribute === undefined ? undefined : element.attribs[attribute];
  return value ?? squeeze(isPrice ? priceTextOf(element) : textOf(element));
}

function words(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/\s+/).filter((word) => word !== '');
}

function push(list: AnyNode[], node: AnyNode | undefined): void {
  if (node !== undefined) list.push(node);
}

function indexIds(element: Element | undefined): Map<string, Element> {
  const ids = new Map<string, Element>();
  let top: AnyNode | null = element ?? null;
  while (top?.parent) top = top.parent;
  const pending: AnyNode[] = top === null ? [] : [top];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isTag(node)) {
      const { id } = node.attribs;
      if (id !== undefined && !ids.has(id)) ids.set(id, node);
    }
    if ('children' in node)
      for (let index = node.children.length - 1; index >= 0; index -= 1) push(pending, node.children[index]);
  }
  return ids;
}
