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

/** The one place that decides it. */
export function classify(kind: FailureKind): FailureVerdict {
  return VERDICTS[kind] ?? 'retry';
}
