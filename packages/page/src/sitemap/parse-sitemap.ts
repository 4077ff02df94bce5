import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { Parser } from 'htmlparser2';

/** `unknown` is XML or HTML that is none of the others: it has no pages. */
export type SitemapKind = 'urlset' | 'index' | 'rss' | 'atom' | 'text' | 'unknown';

export interface Sitemap {
  readonly kind: SitemapKind;
  /** Pages, each once, in order; of an index none. */
  readonly pages: readonly CanonicalUrl[];
  /** Further sitemaps that an index names. */
  readonly sitemaps: readonly CanonicalUrl[];
  /** Entries that are no http(s) URL, or have none; they are skipped, the others stay good. */
  readonly invalid: number;
}

export interface ParseOptions {
  /** Where the file was had: relative entries start there. */
  readonly url: string;
  readonly trackingParameters?: readonly string[] | undefined;
}

/** Reads a sitemap of sitemaps.org, an RSS or Atom feed, or a list of URLs, as far as it can be read. */
export function parseSitemap(text: string, options: ParseOptions): Sitemap {
  return /^[\uFEFF\s]*</.test(text) ? parseXml(text, options) : parseLines(text, options);
}

/** One URL a line; whatever else stands there is skipped. */
function parseLines(text: string, { trackingParameters }: ParseOptions): Sitemap {
  const found = new Set<CanonicalUrl>();
  let invalid = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    const entry = line.trim();
    if (entry === '') continue;
    const url = canonicalize(entry, { trackingParameters });
    if (url === null) invalid += 1;
    else found.add(url);
  }
  return { kind: 'text', pages: [...found], sitemaps: [], invalid };
}

const KINDS: Readonly<Record<string, SitemapKind>> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'rss',
  rdf: 'rss',
  feed: 'atom',
  entry: 'atom',
};
/** What one entry is called. Its URL stands in a direct child of the same namespace: image:loc is no page. */
const ENTRIES: Readonly<Record<SitemapKind, string>> = {
  urlset: 'url',
  index: 'sitemap',
  rss: 'item',
  atom: 'entry',
  text: '',
  unknown: '',
};

interface Element {
  readonly namespace: string;
  readonly name: string;
  readonly base: string;
  /** Prefix → namespace, of what stands in it. */
  readonly spaces: Namespaces;
}

type Namespaces = ReadonlyMap<string, string>;

function parseXml(text: string, { url, trackingParameters }: ParseOptions): Sitemap {
  const found = new Set<CanonicalUrl>();
  const open: Element[] = [];
  let kind: SitemapKind | null = null;
  let invalid = 0;
  let entry: Entry | null = null;
  let value: string | null = null;

  const take = (address: string, base: string): boolean => {
    const page = canonicalize(address.trim(), { base, trackingParameters });
    if (page === null || address.trim() === '') return false;
    found.add(page);
    return true;
  };
  const endEntry = ({ taken, guid, base, text: bare }: Entry): void => {
    // of RSS the guid, else an address that stands in the entry without an element of its own
    for (const address of [guid, bare.trim()]) {
      if (taken || (address !== null && isAbsolute(address) && !/\s/.test(address.trim()) && take(address, base)))
        return;
    }
    invalid += 1;
  };

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (open.length >= MAX_DEPTH) throw new TooDeep();
        const parent = open.at(-1);
        const [prefix, name] = split(tag);
        const base = baseOf(attributes['xml:base'], parent?.base ?? url);
        const spaces = namespacesIn(attributes, parent?.spaces ?? new Map());
        // a prefix that is declared nowhere stands for itself
        const namespace = spaces.get(prefix) ?? prefix;
        kind ??= KINDS[name] ?? 'unknown';
        open.push({ namespace, name, base, spaces });
        // an entry within an entry: the end of the first is missing
        const unended = entry !== null && open.length === entry.depth + 1 && namespace === entry.namespace;
        if (name === ENTRIES[kind] && (entry === null || unended)) {
          if (entry !== null) endEntry(entry);
          entry = { depth: open.length, namespace, base, taken: false, guid: null, text: '' };
          value = null;
          return;
        }
        if (entry === null || open.length !== entry.depth + 1 || namespace !== entry.namespace) return;
        if (kind === 'atom' && name === 'link' && !entry.taken && isAlternate(attributes['rel'])) {
          entry.taken = take(attributes['href'] ?? '', base);
        }
        if (name === 'loc' || (kind === 'rss' && (name === 'link' || name === 'guid'))) value = '';
      },
      ontext(data) {
        if (value !== null) value += data;
        else if (entry !== null && open.length === entry.depth) entry.text += data;
      },
      onclosetag(_, implied) {
        const closed = open.pop();
        if (closed === undefined || entry === null) return;
        if (open.length === entry.depth && value !== null) {
          // a value that is cut off is no URL
          const whole = implied ? '' : value;
          if (closed.name === 'guid') entry.guid = whole;
          else if (isAddress(whole) && take(whole, closed.base)) entry.taken = true;
          value = null;
        } else if (open.length < entry.depth) {
          endEntry(entry);
          entry = null;
        }
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  try {
    parser.end(prepare(text));
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error; // what was read before it counts
  }
  const urls = [...found];
  const isIndex = kind === 'index';
  return { kind: kind ?? 'unknown', pages: isIndex ? [] : urls, sitemaps: isIndex ? urls : [], invalid };
}

/** Sitemaps and feeds are flat; the parser's time grows with the depth. */
const MAX_DEPTH = 200;

class TooDeep extends Error {}

/** Beyond it nothing is looked for at the beginning of a file. */
const HEAD = 4_096;

/** What the parser does not bear: a document type with markup in it, numbers that HTML reads otherwise, an end tag cut off. */
function prepare(text: string): string {
  const body = withoutDoctype(text);
  // a notice of the server's in front
  const start = /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/i.exec(body.slice(0, HEAD))?.index ?? 0;
  return body
    .slice(start)
    .replace(/&#(?:0*(1[2-5]\d)|x0*([89][0-9a-f]));/gi, (_, decimal?: string, hex?: string) =>
      String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)),
    )
    .replace(/<\/(?:l(?:oc?)?)?$/i, '</loc>');
}

/** What a document type may hold that has signs of markup in it: how each begins, and ends (XML 1.0, 2.8). */
const WITHIN_DOCTYPE = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['"', '"'],
  ["'", "'"],
] as const;

function withoutDoctype(text: string): string {
  const start = /<!doctype/i.exec(text.slice(0, HEAD))?.index;
  if (start === undefined) return text;
  let open = 1;
  for (let at = start + 1; at < text.length; at += 1) {
    const part = WITHIN_DOCTYPE.find(([begin]) => text.startsWith(begin, at));
    if (part !== undefined) {
      const end = text.indexOf(part[1], at + part[0].length);
      if (end < 0) return text;
      at = end + part[1].length - 1;
      continue;
    }
    const sign = text.charAt(at);
    if (sign === '<' || sign === '[') open += 1;
    else if (sign === '>' || sign === ']') open -= 1;
    if (open === 0) return text.slice(0, start) + text.slice(at + 1);
  }
  return text;
}

interface Entry {
  readonly depth: number;
  readonly namespace: string;
  readonly base: string;
  taken: boolean;
  /** Of RSS: what tells items apart, and often is the URL where there is no link. */
  guid: string | null;
  /** Its own, without that of its elements. */
  text: string;
}

function namespacesIn(attributes: Readonly<Record<string, string>>, outer: Namespaces): Namespaces {
  const declared = Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return outer;
  return new Map([...outer, ...declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri.trim()] as const)]);
}

function split(tag: string): [prefix: string, name: string] {
  const colon = tag.indexOf(':');
  return colon < 0 ? ['', tag] : [tag.slice(0, colon), tag.slice(colon + 1)];
}

function baseOf(base: string | undefined, parent: string): string {
  return base !== undefined && URL.canParse(base, parent) ? new URL(base, parent).href : parent;
}

function isAlternate(rel: string | undefined): boolean {
  return /^(?:|(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?alternate)$/i.test(rel?.trim() ?? '');
}

/** A full URL, as it should be, or a path from the root. Other text, such as an undeclared entity, would be a relative URL. */
function isAddress(text: string): boolean {
  return /^\s*(?:https?:|\/)/i.test(text);
}

function isAbsolute(address: string): boolean {
  return /^\s*https?:/i.test(address);
}
