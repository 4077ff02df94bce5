import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import type { FetchFailureKind } from '../fetch/failure.js';
import type { Fetcher, NotFetched } from '../fetch/fetcher.js';
import { matchRobots } from './match-robots.js';
import { MAX_ROBOTS_BYTES, parseRobots, type RobotsFile } from './parse-robots.js';
import type { RobotsCache } from './robots-cache.js';
import { readRecord, writeRecord, type RobotsRecord } from './robots-record.js';

/** A file is obeyed for this long before it is fetched again … */
const FRESH_MS = 3_600_000;
/** … and, where it can't be fetched then, for this long in all (RFC 9309, 2.4). */
const KEEP_MS = 24 * 3_600_000;
/** For this long a failure stands before it is tried again. */
const FAILURE_MS = 30_000;
/** Waits before the second and third try: one hiccup must not hold up all pages of a site. */
const RETRY_AFTER_MS = [300, 1000];
const MAX_REDIRECTS = 5;
const MAX_ORIGINS = 500;

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** What the site asks to wait between pages, in seconds; null where it asks nothing. */
  readonly crawlDelaySeconds: number | null;
  /** `file`: by its rules; `absent`: there is none (4xx), all is allowed; `ignored`: the site file says so. */
  readonly source: 'file' | 'absent' | 'ignored';
  /** Status of the answer to /robots.txt. */
  readonly status?: number;
  /** The line that decided, with its number, and the agent of its group. */
  readonly rule?: string;
  readonly line?: number;
  readonly agent?: string;
}

/** robots.txt can't be had, so nothing may be fetched now (RFC 9309, 2.3.1.4). */
export interface RobotsUnreachable {
  readonly unreachable: FetchFailureKind;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

export interface Robots {
  /** May this URL be fetched? Asks the origin's robots.txt, from the cache where it is fresh. */
  check(url: CanonicalUrl, signal?: AbortSignal): Promise<RobotsVerdict | RobotsUnreachable>;
  /** The Sitemap lines of an origin's robots.txt, as URLs; none where it can't be had. */
  sitemaps(origin: string, signal?: AbortSignal): Promise<CanonicalUrl[]>;
}

export interface RobotsOptions {
  readonly fetcher: Fetcher;
  readonly productToken: string;
  /** Saves requests, no more: where it fails, the file is fetched. */
  readonly cache: RobotsCache;
  readonly timeoutMs: number;
}

interface Known {
  readonly record: RobotsRecord;
  readonly file: RobotsFile | null;
}

export function createRobots({ fetcher, productToken, cache, timeoutMs }: RobotsOptions): Robots {
  const known = new Map<string, Known>();
  const failed = new Map<string, { failure: RobotsUnreachable; until: number }>();
  const asking = new Map<string, Promise<Known | RobotsUnreachable>>();

  async function find(origin: string, signal: AbortSignal | undefined): Promise<Known | RobotsUnreachable> {
    const own = known.get(origin);
    if (own !== undefined && isFresh(own.record)) return own;
    const failure = failed.get(origin);
    if (failure !== undefined && failure.until > Date.now()) return own ?? failure.failure;
    // Pages of one origin that come at once ask once; the first caller's signal does not decide for the others.
    let answer = asking.get(origin);
    if (answer === undefined) {
      answer = refresh(origin).finally(() => asking.delete(origin));
      asking.set(origin, answer);
    }
    return signal === undefined ? answer : Promise.race([answer, abandoned(signal)]);
  }

  async function refresh(origin: string): Promise<Known | RobotsUnreachable> {
    const cached = readRecord((await cache.get(origin).catch(() => null)) ?? '');
    if (cached !== null) remember(known, origin, opened(cached));
    if (cached !== null && isFresh(cached)) return opened(cached);
    const answer = await ask(origin);
    if ('unreachable' in answer) {
      remember(failed, origin, { failure: answer, until: Date.now() + FAILURE_MS });
      const old = known.get(origin);
      return old !== undefined && age(old.record) < KEEP_MS ? old : answer;
    }
    failed.delete(origin);
    const result = opened(answer);
    remember(known, origin, result);
    await cache.set(origin, writeRecord(answer), KEEP_MS).catch(() => undefined);
    return result;
  }

  async function ask(origin: string): Promise<RobotsRecord | RobotsUnreachable> {
    const url = canonicalize('/robots.txt', { base: origin });
    if (url === null) return { unreachable: 'bad-response', message: `${origin} is no http origin` };
    for (let attempt = 0; ; attempt += 1) {
      const result = await fetcher.fetch(url, {
        timeoutMs,
        maxBytes: MAX_ROBOTS_BYTES,
        beyond: 'truncate',
        maxRedirects: MAX_REDIRECTS,
        pagesOnly: false,
      });
      if (result.ok) return { fetchedAt: Date.now(), status: result.status, file: result.body.toString('latin1') };
      if (isAbsent(result)) return { fetchedAt: Date.now(), status: result.status ?? 0, file: null };
      const waitMs = RETRY_AFTER_MS[attempt];
      if (waitMs === undefined || !isPassing(result)) return unreachable(result);
      await sleep(waitMs);
    }
  }

  return {
    async check(url, signal) {
      const found = await find(new URL(url).origin, signal);
      if ('unreachable' in found) return found;
      const { status } = found.record;
      if (found.file === null) return { allowed: true, crawlDelaySeconds: null, source: 'absent', status };
      const { allowed, crawlDelaySeconds, rule, agent } = matchRobots(found.file, productToken, url);
      return {
        allowed,
        crawlDelaySeconds,
        source: 'file',
        status,
        ...(rule === null ? {} : { rule: rule.text, line: rule.line }),
        ...(agent === null ? {} : { agent }),
      };
    },
    async sitemaps(origin, signal) {
      const found = await find(new URL(origin).origin, signal);
      if ('unreachable' in found) return [];
      return (found.file?.sitemaps ?? []).flatMap((text) => canonicalize(text, { base: origin }) ?? []);
    },
  };
}

function opened(record: RobotsRecord): Known {
  return { record, file: record.file === null ? null : parseRobots(Buffer.from(record.file, 'latin1')) };
}

function age(record: RobotsRecord): number {
  return Date.now() - record.fetchedAt;
}

/** A time in the future was written by a node whose clock is wrong, and says nothing. */
function isFresh(record: RobotsRecord): boolean {
  return age(record) >= -60_000 && age(record) < FRESH_MS;
}

/** 4xx, and redirects that lead nowhere: there is no file (RFC 9309, 2.3.1.2 and 2.3.1.3). */
function isAbsent({ kind, status }: NotFetched): boolean {
  if (kind === 'too-many-redirects' || kind === 'redirect-loop' || kind === 'bad-redirect') return true;
  return kind.startsWith('http-') && status !== undefined && status < 500;
}

/** Failures of which the next try may know nothing. */
function isPassing({ kind, retryAfterMs }: NotFetched): boolean {
  return retryAfterMs === undefined && (kind.startsWith('http-') || kind === 'reset' || kind === 'network');
}

function unreachable({ kind, message, status, retryAfterMs }: NotFetched): RobotsUnreachable {
  return {
    unreachable: kind,
    message: `robots.txt: ${message}`,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function abandoned(signal: AbortSignal): Promise<RobotsUnreachable> {
  return new Promise((done) => {
    const stop = () => done({ unreachable: 'aborted', message: 'the fetch was given up' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function remember<T>(map: Map<string, T>, origin: string, value: T): void {
  map.delete(origin);
  map.set(origin, value);
  const oldest = map.keys().next().value;
  if (map.size > MAX_ORIGINS && oldest !== undefined) map.delete(oldest);
}
