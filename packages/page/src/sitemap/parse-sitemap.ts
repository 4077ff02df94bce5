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
};
/** What one entry is called. Its URL stands in a direct child of the same prefix: image:loc is no page. */
const ENTRIES: Readonly<Record<SitemapKind, string>> = {
  urlset: 'url',
  index: 'sitemap',
  rss: 'item',
  atom: 'entry',
  text: '',
  unknown: '',
};

interface Element {
  readonly prefix: string;
  readonly name: string;
  readonly base: string;
}

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
  const endEntry = ({ taken, guid, base }: Entry): void => {
    if (taken || (guid !== null && isAbsolute(guid) && take(guid, base))) return;
    invalid += 1;
  };

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const parent = open.at(-1);
        const [prefix, name] = split(tag);
        const base = baseOf(attributes['xml:base'], parent?.base ?? url);
        kind ??= KINDS[name] ?? 'unknown';
        open.push({ prefix, name, base });
        if (entry === null) {
          if (name === ENTRIES[kind]) entry = { depth: open.length, prefix, base, taken: false, guid: null };
          return;
        }
        if (open.length !== entry.depth + 1 || prefix !== entry.prefix) return;
        if (kind === 'atom' && name === 'link' && !entry.taken && isAlternate(attributes['rel'])) {
          entry.taken = take(attributes['href'] ?? '', base);
        }
        if (name === 'loc' || (kind === 'rss' && (name === 'link' || name === 'guid'))) value = '';
      },
      ontext(data) {
        if (value !== null) value += data;
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
  parser.end(text);
  const urls = [...found];
  const isIndex = kind === 'index';
  return { kind: kind ?? 'unknown', pages: isIndex ? [] : urls, sitemaps: isIndex ? urls : [], invalid };
}

interface Entry {
  readonly depth: number;
  readonly prefix: string;
  readonly base: string;
  taken: boolean;
  /** Of RSS: what tells items apart, and often is the URL where there is no link. */
  guid: string | null;
}

function split(tag: string): [prefix: string, name: string] {
  const colon = tag.indexOf(':');
  return colon < 0 ? ['', tag] : [tag.slice(0, colon), tag.slice(colon + 1)];
}

function baseOf(base: string | undefined, parent: string): string {
  return base !== undefined && URL.canParse(base, parent) ? new URL(base, parent).href : parent;
}

function isAlternate(rel: string | undefined): boolean {
  return rel === undefined || rel.trim() === '' || rel.trim().toLowerCase() === 'alternate';
}

/** A full URL, as it should be, or a path from the root. Other text, such as an undeclared entity, would be a relative URL. */
function isAddress(text: string): boolean {
  return /^\s*(?:https?:|\/)/i.test(text);
}

function isAbsolute(address: string): boolean {
  return /^\s*https?:/i.test(address);
}
