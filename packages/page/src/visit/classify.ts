import type { FetchFailureKind } from '../fetch/failure.js';

/** Every way in which a visit can fail. */
export type FailureKind = FetchFailureKind | 'no-goods' | 'too-complex' | 'module';

/**
 * What becomes of a URL that failed: `dead` at once; `retry` counts a failure and comes again later; `throttled` pauses
 * the site and counts nothing; `defer` puts the URL off and counts nothing.
 */
export type FailureVerdict = 'dead' | 'retry' | 'throttled' | 'defer';

const VERDICTS: Partial<Record<FailureKind, FailureVerdict>> = {
  'http-404': 'dead',
  'http-410': 'dead',
  robots: 'dead',
  'http-429': 'throttled',
  'http-503': 'throttled',
  'robots-unreachable': 'defer',
  proxy: 'defer',
};

/** The site gave no answer, or one that tells of its own trouble: no fault of the page. */
const AWAY: ReadonlySet<FailureKind> = new Set(['dns', 'network', 'refused', 'reset', 'timeout', 'tls', 'unreachable']);

/** Whether a failure looks as if the site as a whole were down; one alone says little, many in a row say it. */
export function isAway(kind: FailureKind): boolean {
  return AWAY.has(kind) || kind.startsWith('http-5');
}

/** The one place that decides it. */
export function classify(kind: FailureKind): FailureVerdict {
  return VERDICTS[kind] ?? 'retry';
}
