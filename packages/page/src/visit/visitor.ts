import { createHash } from 'node:crypto';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { decodeBody } from '../charset/decode.js';
import { extractPage, type CompiledSite, type ExtractedPage } from '../extract/index.js';
import type { Fetched, NotFetched, Validators } from '../fetch/fetcher.js';
import type { ProxyHealth } from '../proxy/proxy-health.js';
import type { Robots, RobotsUnreachable, RobotsVerdict } from '../robots/robots.js';
import { classify, type FailureKind } from './classify.js';
import { sendsOn } from './meta-refresh.js';
import { createSiteClient, refusalOf, type SiteClient, type SiteClientOptions } from './site-client.js';
import type { FailedVisit, Visit, VisitedAnswer, VisitedContent } from './visit.js';

export interface VisitorOptions extends SiteClientOptions {
  readonly site: CompiledSite;
}

export interface VisitOptions {
  readonly signal?: AbortSignal;
  /** Called before the page is decoded and parsed: from here on a crash is the page's own. */
  readonly onParse?: () => void;
  /** Called with what robots.txt says of the URL, before anything else is fetched; whoever aborts the signal here ends the visit. */
  readonly onRobots?: (verdict: RobotsVerdict) => Promise<void>;
  /** Of the visit before: where they still hold, the outcome is `unchanged`. */
  readonly validators?: Validators | undefined;
  /** Links away from a page that a producer queued. */
  readonly depth?: number;
}

export interface Visitor {
  /**
   * Asks robots.txt, fetches, decodes and reads one page. Whatever the web does is an outcome; it rejects only with the
   * signal's reason, once that is aborted.
   */
  visit(url: CanonicalUrl, options?: VisitOptions): Promise<Visit>;
  readonly robots: Robots;
  /** How the site's proxies do, in this process; empty where it has none. */
  proxyHealth(): ProxyHealth[];
  /** Lets running visits end and closes the connections. */
  close(): Promise<void>;
}

/** What visits the pages of one site; keeps connections and robots.txt files, so make one per process. */
export function createVisitor({ site, ...options }: VisitorOptions): Visitor {
  const client = createSiteClient(site.site, options);
  return {
    visit: (url, visitOptions = {}) => visitPage(site, client, url, visitOptions),
    robots: client.robots,
    proxyHealth: () => client.proxyHealth(),
    close: () => client.close(),
  };
}

async function visitPage(
  site: CompiledSite,
  client: SiteClient,
  url: CanonicalUrl,
  options: VisitOptions,
): Promise<Visit> {
  const { signal } = options;
  const robots = await client.robots.check(url, signal);
  signal?.throwIfAborted();
  if ('unreachable' in robots) return unreachable(robots);
  if (!robots.allowed) return failed('robots', refusalOf(robots), { finalUrl: url, redirects: [], robots });
  await options.onRobots?.(robots);
  signal?.throwIfAborted();
  const { timeoutMs, maxBytes, maxRedirects } = site.kindOf(url).limits;
  const { validators } = options;
  const { admit } = client;
  const request = { maxBytes, maxRedirects, signal, pagesOnly: true, beyond: 'fail', admit, validators } as const;
  const until = performance.now() + timeoutMs;
  let target = url;
  let cameFrom: readonly CanonicalUrl[] = [];
  for (;;) {
    const leftMs = Math.max(1, until - performance.now());
    const answer = await client.fetcher.fetch(target, { ...request, cameFrom, timeoutMs: leftMs });
    signal?.throwIfAborted();
    const { finalUrl, redirects } = answer;
    const way = { finalUrl: queueForm(site, finalUrl), redirects, robots };
    if (!answer.ok && answer.kind === 'not-modified') return { outcome: 'unchanged', ...way, status: 304 };
    if (!answer.ok) return notFetched(answer, way);
    options.onParse?.();
    const { text, facts } = read(answer);
    const known = { ...way, ...facts };
    const page = extractPage(site, {
      html: text,
      url,
      finalUrl,
      charset: facts.charset,
      ...(options.depth === undefined ? {} : { depth: options.depth }),
    });
    if (page.outcome !== 'extracted') return failed(page.outcome, page.message, known);
    if (page.refresh !== null && page.goods.length === 0 && sendsOn(text)) {
      cameFrom = [...redirects, finalUrl];
      target = page.refresh;
      // a page that sends back to where the visit has been only reloads itself
      if (!cameFrom.includes(target)) continue;
    }
    const content = contentOf(page);
    if (page.expectsGoods && page.goods.length === 0) {
      return failed('no-goods', 'rows were expected here, and none were found', { ...known, ...content });
    }
    return { outcome: 'ok', ...known, ...content };
  }
}

/** Redirects are followed to the letter; a URL is known by its form without tracking parameters. */
function queueForm({ site: { trackingParameters } }: CompiledSite, url: CanonicalUrl): CanonicalUrl {
  return canonicalize(url, { trackingParameters }) ?? url;
}

function read({ status, body, sentBytes, contentType, etag, lastModified }: Fetched) {
  const { text, charset, source, replacementCharacters } = decodeBody(body, contentType);
  const contentHash = createHash('sha256').update(body).digest();
  const answer = { status, bytes: sentBytes, contentHash, etag, lastModified };
  const facts = { ...answer, charset, charsetSource: source, replacementCharacters };
  return { text, facts };
}

function contentOf({ kind, title, goods, unreadablePrices, links, follow, canonical }: ExtractedPage): VisitedContent {
  return { kind, title, goods, unreadablePrices, links, follow, canonical };
}

function failed(outcome: FailureKind, message: string, known: Partial<FailedVisit>): FailedVisit {
  return { ...known, outcome, verdict: classify(outcome), message };
}

function notFetched({ kind, message, status, retryAfterMs }: NotFetched, way: Partial<VisitedAnswer>): FailedVisit {
  return failed(kind, message, {
    ...way,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/**
 * A server that fails to give its robots.txt gets no requests, and the URL is put off. Where the host itself can't be
 * reached, the page could not be either: that is its failure, and counts.
 */
function unreachable({ unreachable: kind, message, retryAfterMs }: RobotsUnreachable): FailedVisit {
  const outcome = kind.startsWith('http-') ? 'robots-unreachable' : kind;
  return failed(outcome, message, retryAfterMs === undefined ? {} : { retryAfterMs });
}
