import type { UrlProblem } from '@dist-crawl/core/url';
import type { GoodsRow, Visit } from '@dist-crawl/page';
import type { ChosenUrl, RefusedUrl } from './choose-site.js';

/** What one URL gave: a line of `crawl try --json`. What is not known is null; lists are empty then. */
export interface Answer {
  /** As it was asked for. */
  readonly url: string;
  readonly finalUrl: string | null;
  readonly redirects: readonly string[];
  readonly status: number | null;
  /** Of the body as sent. */
  readonly bytes: number | null;
  readonly charset: string | null;
  readonly replacementCharacters: number | null;
  readonly title: string | null;
  readonly robots: AnswerRobots | null;
  /** `ok`, or the kind of failure. */
  readonly outcome: string;
  /** What the crawl would do after a failure: null when there was none. */
  readonly verdict: string | null;
  readonly message: string | null;
  /** Null: no site file. */
  readonly site: string | null;
  /** Sites that all have it in their scope, so that none was taken; else empty. */
  readonly candidates: readonly string[];
  readonly inScope: boolean;
  /** The page kind of the site file. */
  readonly kind: string | null;
  readonly goods: readonly GoodsRow[];
  readonly unreadablePrices: number;
  readonly links: readonly string[];
  /** Links that the crawl would queue. */
  readonly follow: readonly string[];
}

export interface AnswerRobots {
  readonly allowed: boolean;
  readonly crawlDelaySeconds: number | null;
  readonly source: 'file' | 'absent' | 'ignored' | 'unreachable';
  readonly rule: string | null;
  readonly line: number | null;
}

export function answerOf({ given, loaded, chosen, candidates, inScope }: ChosenUrl, visit: Visit): Answer {
  const failure = visit.outcome === 'ok' || visit.outcome === 'unchanged' ? null : visit;
  return {
    url: given,
    finalUrl: visit.finalUrl ?? null,
    redirects: visit.redirects ?? [],
    status: visit.status ?? null,
    bytes: visit.bytes ?? null,
    charset: visit.charset ?? null,
    replacementCharacters: visit.replacementCharacters ?? null,
    title: visit.title ?? null,
    robots: robotsOf(visit),
    outcome: visit.outcome,
    verdict: failure?.verdict ?? null,
    message: failure?.message ?? null,
    site: chosen === 'none' ? null : loaded.site.name,
    candidates,
    inScope,
    kind: visit.kind ?? null,
    goods: visit.goods ?? [],
    unreadablePrices: visit.unreadablePrices ?? 0,
    links: visit.links ?? [],
    follow: visit.follow ?? [],
  };
}

/** For what is no URL to visit. */
export function refusalOf({ given, problem }: RefusedUrl): Answer {
  return {
    url: given,
    finalUrl: null,
    redirects: [],
    status: null,
    bytes: null,
    charset: null,
    replacementCharacters: null,
    title: null,
    robots: null,
    outcome: 'invalid-url',
    verdict: null,
    message: PROBLEMS[problem],
    site: null,
    candidates: [],
    inScope: false,
    kind: null,
    goods: [],
    unreadablePrices: 0,
    links: [],
    follow: [],
  };
}

const PROBLEMS: Readonly<Record<UrlProblem, string>> = {
  invalid: 'this is no URL; a whole one is needed, such as https://shop.example/goods',
  'not-http': 'only http and https URLs can be crawled',
  'too-long': 'the URL is longer than 2,048 bytes',
};

function robotsOf({ outcome, robots }: Visit): AnswerRobots | null {
  if (robots === undefined) {
    // What may not be asked must not be fetched: RFC 9309, 2.3.1.4.
    if (outcome !== 'robots-unreachable') return null;
    return { allowed: false, crawlDelaySeconds: null, source: 'unreachable', rule: null, line: null };
  }
  const { allowed, crawlDelaySeconds, source, rule, line } = robots;
  return { allowed, crawlDelaySeconds, source, rule: rule ?? null, line: line ?? null };
}
