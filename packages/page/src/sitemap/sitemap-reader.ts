import type { Site } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { decodeBody } from '../charset/decode.js';
import type { FetchFailureKind } from '../fetch/failure.js';
import { createSiteClient, refusalOf, type SiteClient, type SiteClientOptions } from '../visit/site-client.js';
import { parseSitemap, type SitemapKind } from './parse-sitemap.js';
import { unpack } from './unpack.js';

/** Of one file, as sent and unpacked: what sitemaps.org allows. Of a larger one the start is read. */
const MAX_BYTES = 52_428_800;
const TIMEOUT_MS = 120_000;
/** Indexes of indexes of indexes: sitemaps.org allows none, shops have two. */
const MAX_DEPTH = 4;
const MAX_SITEMAPS = 50_000;

export type SitemapReport =
  | {
      readonly outcome: 'read';
      readonly url: CanonicalUrl;
      readonly kind: SitemapKind;
      /** Pages in queue form, each once in its file; not checked against the scope. */
      readonly pages: readonly CanonicalUrl[];
      /** How many further sitemaps it names. */
      readonly sitemaps: number;
      /** Entries that are no http(s) URL. */
      readonly invalid: number;
    }
  | {
      readonly outcome: FetchFailureKind | 'limit';
      readonly url: CanonicalUrl;
      readonly message: string;
      readonly status?: number;
    };

export interface ReadSitemapsOptions {
  readonly signal?: AbortSignal;
  /** Files to read at most, the first included. */
  readonly maxSitemaps?: number;
  /** Called before each request; whoever paces the site waits here. */
  readonly beforeRequest?: () => Promise<void>;
}

export interface SitemapReader {
  /** Reads a sitemap and, of an index, what it names: one report a file, in order. Rejects only with the signal's reason. */
  read(starts: readonly CanonicalUrl[], options?: ReadSitemapsOptions): AsyncGenerator<SitemapReport>;
  /** The sitemaps that the robots.txt of the site's base names. */
  listed(signal?: AbortSignal): Promise<CanonicalUrl[]>;
  close(): Promise<void>;
}

export interface SitemapReaderOptions extends SiteClientOptions {
  readonly site: Site;
}

export function createSitemapReader({ site, ...options }: SitemapReaderOptions): SitemapReader {
  const client = createSiteClient(site, options);
  return {
    read: (starts, readOptions = {}) => readAll(site, client, starts, readOptions),
    listed: (signal) => client.robots.sitemaps(site.base, signal),
    close: () => client.close(),
  };
}

async function* readAll(
  site: Site,
  client: SiteClient,
  starts: readonly CanonicalUrl[],
  { signal, maxSitemaps = MAX_SITEMAPS, beforeRequest }: ReadSitemapsOptions,
): AsyncGenerator<SitemapReport> {
  const waiting = starts.map((url) => ({ url, depth: 1 }));
  const seen = new Set(starts);
  let read = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { url, depth } = next;
    if (read >= maxSitemaps || depth > MAX_DEPTH) {
      yield {
        outcome: 'limit',
        url,
        message: depth > MAX_DEPTH ? 'an index too deep' : `more than ${maxSitemaps} sitemaps`,
      };
      if (read >= maxSitemaps) return;
      continue;
    }
    await beforeRequest?.();
    read += 1;
    const { report, sitemaps } = await readOne(site, client, url, signal);
    signal?.throwIfAborted();
    for (const child of sitemaps) {
      if (seen.has(child)) continue;
      seen.add(child);
      waiting.push({ url: child, depth: depth + 1 });
    }
    yield report;
  }
}

interface OneRead {
  readonly report: SitemapReport;
  readonly sitemaps: readonly CanonicalUrl[];
}

async function readOne(
  site: Site,
  client: SiteClient,
  url: CanonicalUrl,
  signal: AbortSignal | undefined,
): Promise<OneRead> {
  const failed = (outcome: FetchFailureKind, message: string, status?: number): OneRead => ({
    report: { outcome, url, message, ...(status === undefined ? {} : { status }) },
    sitemaps: [],
  });
  const robots = await client.robots.check(url, signal);
  if ('unreachable' in robots) return failed('robots-unreachable', robots.message, robots.status);
  if (!robots.allowed) return failed('robots', refusalOf(robots));
  const answer = await client.fetcher.fetch(url, {
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    beyond: 'truncate',
    maxRedirects: site.limits.maxRedirects,
    pagesOnly: false,
  });
  if (!answer.ok) return failed(answer.kind, answer.message, answer.status);
  const { text } = decodeBody(await unpack(answer.body, MAX_BYTES), answer.contentType);
  const { trackingParameters } = site;
  const { kind, pages, sitemaps, invalid } = parseSitemap(text, { url: answer.finalUrl, trackingParameters });
  const self = canonicalize(answer.finalUrl, { trackingParameters });
  return {
    report: { outcome: 'read', url, kind, pages, sitemaps: sitemaps.length, invalid },
    sitemaps: sitemaps.filter((child) => child !== self),
  };
}
