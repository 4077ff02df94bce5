import type { CanonicalUrl } from '@dist-crawl/core/url';
import { canonicalize } from '@dist-crawl/core/url';
import type { Dispatcher } from 'undici';
import { checkLiteralAddress } from './addresses.js';
import type { Connections } from './connections.js';
import { isPageType, looksBinary, mediaTypeOf } from './content-type.js';
import { startDeadline } from './deadline.js';
import { FetchFailure, failureOf, type FetchFailureKind } from './failure.js';
import { readBody, type Body, type BodyLimit } from './read-body.js';
import { parseRetryAfter } from './retry-after.js';

/** What a server said of a page when it was fetched before (RFC 9110, 8.8): it answers 304 where that still holds. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The URL that gave them, after redirects; to others they are not sent. */
  readonly of: CanonicalUrl;
}

export interface FetchRequest extends BodyLimit {
  /** For everything together: look-up, connecting, redirects, body. A page that drips is stopped too. */
  readonly timeoutMs: number;
  readonly maxRedirects: number;
  /** Only HTML, XHTML, XML and text are read on; everything else is `not-html`. */
  readonly pagesOnly: boolean;
  /**
   * Throws a FetchFailure for a redirect that may not be followed. Without it any is, but headers and cookies stay
   * with the first origin.
   */
  readonly admit?: (url: CanonicalUrl) => Promise<void>;
  /** URLs that led here by the page before (meta refresh): this fetch is one more redirect, and checked like one. */
  readonly cameFrom?: readonly CanonicalUrl[];
  readonly validators?: Validators | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Fetched extends Body {
  readonly ok: true;
  readonly finalUrl: CanonicalUrl;
  /** Every URL that sent on to another, in order; empty without redirects. */
  readonly redirects: readonly CanonicalUrl[];
  readonly status: number;
  readonly contentType: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface NotFetched {
  readonly ok: false;
  readonly kind: FetchFailureKind;
  readonly message: string;
  /** The URL that failed, and those that sent on to it. */
  readonly finalUrl: CanonicalUrl;
  readonly redirects: readonly CanonicalUrl[];
  readonly status?: number;
  readonly retryAfterMs?: number;
}

type FetchResult = Fetched | NotFetched;

export interface FetcherOptions {
  readonly connections: Connections;
  readonly allowPrivateAddresses: boolean;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

export interface Fetcher {
  /** Fetches one URL. Never throws for what the web does: every failure has a kind. */
  fetch(url: CanonicalUrl, request: FetchRequest): Promise<FetchResult>;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  return { fetch: (url, request) => fetchUrl(options, url, request) };
}

async function fetchUrl(options: FetcherOptions, start: CanonicalUrl, request: FetchRequest): Promise<FetchResult> {
  const redirects: CanonicalUrl[] = [...(request.cameFrom ?? [])];
  let current = start;
  using deadline = startDeadline(request.timeoutMs, request.signal);
  try {
    if (redirects.length > 0) await checkRedirect(start, redirects, request);
    for (;;) {
      const trusted = request.admit !== undefined || new URL(current).origin === new URL(start).origin;
      const conditions = request.validators?.of === current ? conditionsOf(request.validators) : {};
      const answer = await ask(options, current, { trusted, conditions, signal: deadline.signal });
      const next = redirectOf(answer, current);
      if (next !== null) {
        void answer.body.dump({ limit: 16_384 }).catch(() => undefined); // its body means nothing; dump frees the connection
        redirects.push(current);
        current = next;
        await checkRedirect(next, redirects, request);
        continue;
      }
      const known = { finalUrl: current, redirects, status: answer.statusCode };
      if (answer.statusCode < 200 || answer.statusCode > 299) {
        void answer.body.dump({ limit: 65_536 }).catch(() => undefined);
        if (answer.statusCode === 304 && Object.keys(conditions).length > 0)
          return { ok: false, kind: 'not-modified', message: 'not changed since it was crawled', ...known };
        const retryAfterMs = parseRetryAfter(header(answer, 'retry-after'), header(answer, 'date'));
        return {
          ok: false,
          kind: `http-${answer.statusCode}`,
          message: `the server answered ${answer.statusCode}`,
          ...known,
          ...(retryAfterMs === null ? {} : { retryAfterMs }),
        };
      }
      return { ok: true, ...known, ...(await readPage(answer, request)) };
    }
  } catch (error) {
    const reason = deadline.signal.aborted ? deadline.signal.reason : error;
    const { kind, message, retryAfterMs } = failureOf(reason);
    const failure = { ok: false, kind, message, finalUrl: current, redirects } as const;
    return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
  }
}

async function ask(
  { connections, allowPrivateAddresses, userAgent, headers, cookies }: FetcherOptions,
  target: CanonicalUrl,
  { trusted, conditions, signal }: { trusted: boolean; conditions: Record<string, string>; signal: AbortSignal },
): Promise<Dispatcher.ResponseData> {
  const url = new URL(target);
  if (!allowPrivateAddresses) checkLiteralAddress(url);
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const answer = await connections.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    signal,
    headers: {
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      ...(trusted ? Object.fromEntries(lowerCased) : {}),
      ...(trusted && cookie !== '' ? { cookie } : {}),
      ...conditions,
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': userAgent,
    },
  });
  // A body that is given up, or aborted while nobody reads it, emits an error that must not end the process.
  answer.body.on('error', () => undefined);
  return answer;
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

async function readPage(
  answer: Dispatcher.ResponseData,
  request: FetchRequest,
): Promise<Body & Pick<Fetched, 'contentType' | 'etag' | 'lastModified'>> {
  const contentType = header(answer, 'content-type');
  if (request.pagesOnly && !isPageType(contentType)) {
    answer.body.destroy();
    throw new FetchFailure('not-html', `the answer is ${contentType}`);
  }
  const length = Number(header(answer, 'content-length') ?? 0);
  if (request.beyond === 'fail' && length > request.maxBytes) {
    answer.body.destroy();
    throw new FetchFailure('too-large', `the body has ${length} bytes, more than ${request.maxBytes}`);
  }
  const read = await readBody(answer.body, header(answer, 'content-encoding') ?? undefined, request);
  if (request.pagesOnly && mediaTypeOf(contentType) === null && looksBinary(read.body)) {
    throw new FetchFailure('not-html', 'the answer has no type and is no text');
  }
  return { ...read, contentType, etag: header(answer, 'etag'), lastModified: header(answer, 'last-modified') };
}

/** Where an answer sends on to, or null where it does not. Throws `bad-redirect` for a target that is no http(s) URL. */
function redirectOf(answer: Dispatcher.ResponseData, current: CanonicalUrl): CanonicalUrl | null {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return null;
  const location = header(answer, 'location');
  if (location === null) return null;
  // Tracking parameters stay: a server may send on by one, and for ever to whoever drops it.
  const next = canonicalize(location, { base: current, trackingParameters: [] });
  if (next !== null) return next;
  answer.body.destroy();
  throw new FetchFailure('bad-redirect', `sent on to ${JSON.stringify(location.slice(0, 200))}, which is no http URL`);
}

async function checkRedirect(next: CanonicalUrl, redirects: readonly CanonicalUrl[], request: FetchRequest) {
  const { maxRedirects, admit } = request;
  if (redirects.includes(next)) throw new FetchFailure('redirect-loop', `sent round in a loop, back to ${next}`);
  if (redirects.length > maxRedirects) {
    throw new FetchFailure('too-many-redirects', `sent on more than ${maxRedirects} times`);
  }
  await admit?.(next);
}

function header(answer: Dispatcher.ResponseData, name: string): string | null {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
