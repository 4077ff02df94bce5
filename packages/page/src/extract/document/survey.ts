import { isTag, type AnyNode, type Document, type Element } from 'domhandler';
import { squeeze, textOf } from './text.js';

/** What of a page is asked for again and again, gathered in one walk through it. */
export interface Survey {
  readonly document: Document;
  readonly title: string | null;
  /** `href` of the first <base> that has one. */
  readonly baseHref: string | null;
  /** `href` of <link rel=canonical>. */
  readonly canonicalHref: string | null;
  /** Where <meta http-equiv=refresh> leads to. */
  readonly refreshHref: string | null;
  /** Elements with links: a[href], area[href]. */
  readonly anchors: readonly Element[];
  /** <meta> by `property` or `name`, lower case; the first of each counts. */
  readonly metas: ReadonlyMap<string, string>;
  /** Texts of the JSON-LD scripts, in page order. */
  readonly jsonLd: readonly string[];
  /** Elements with `itemscope`, in page order. */
  readonly items: readonly Element[];
}

/** Longest content of a refresh that is looked at. */
const MAX_REFRESH = 4096;

const HTML = 'http://www.w3.org/1999/xhtml';

export function surveyDocument(document: Document): Survey {
  const anchors: Element[] = [];
  const items: Element[] = [];
  const jsonLd: string[] = [];
  const metas = new Map<string, string>();
  let title: string | null = null;
  let baseHref: string | null = null;
  let canonicalHref: string | null = null;
  let refreshHref: string | null = null;
  for (const element of elementsOf(document)) {
    const { attribs } = element;
    if (attribs['itemscope'] !== undefined) items.push(element);
    switch (element.name) {
      case 'a':
      case 'area':
        if (attribs['href'] !== undefined) anchors.push(element);
        break;
      case 'title':
        if (title === null && element.namespace === HTML) title = squeeze(textOf(element));
        break;
      case 'base':
        if (element.namespace === HTML) baseHref ??= attribs['href'] ?? null;
        break;
      case 'link':
        if (/(?:^|\s)canonical(?:\s|$)/i.test(attribs['rel'] ?? '')) canonicalHref ??= attribs['href'] ?? null;
        break;
      case 'meta': {
        const content = attribs['content'];
        if (content === undefined) break;
        const name = (attribs['property'] ?? attribs['name'])?.trim().toLowerCase();
        if (name !== undefined && !metas.has(name)) metas.set(name, content);
        if (attribs['http-equiv']?.trim().toLowerCase() === 'refresh') refreshHref ??= refreshTarget(content);
        break;
      }
      case 'script':
        // with parameters, too: application/ld+json; charset=utf-8
        if (/^\s*application\/ld\+json\s*(?:;|$)/i.test(attribs['type'] ?? '')) jsonLd.push(rawText(element));
        break;
      default:
    }
  }
  return { document, title, baseHref, canonicalHref, refreshHref, anchors, metas, jsonLd, items };
}

/** All elements below a node, in page order, without recursion. */
function* elementsOf(root: Document | Element): Generator<Element> {
  let node: AnyNode | null = root.firstChild;
  while (node !== null) {
    if (isTag(node)) yield node;
    let next: AnyNode | null = isTag(node) ? node.firstChild : null;
    while (next === null && node !== null && node !== root) {
      next = node.nextSibling;
      if (next === null) node = node.parent;
    }
    node = next;
  }
}

function rawText(script: Element): string {
  return script.children.map((child) => ('data' in child ? child.data : '')).join('');
}

/** `5; url='/next'` (WHATWG HTML, shared declarative refresh steps); null where it only loads the page again. */
function refreshTarget(content: string): string | null {
  if (content.length > MAX_REFRESH) return null;
  const match = /^(?:\d+|(?=\.))[\d.]* ?[;, ] ?(.+)$/.exec(squeeze(content));
  const target = match?.[1]?.replace(/^url ?= ?/i, '') ?? '';
  const quote = target.charAt(0);
  const inner = quote === '"' || quote === "'" ? (target.slice(1).split(quote)[0] ?? '') : target;
  return inner === '' ? null : inner;
}
