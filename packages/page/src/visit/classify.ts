import type { FetchFailureKind } from '../fetch/failure.js';

/** Every way in which a visit can fail. */
export type FailureKind = FetchFailureKind | 'no-goods' | 'too-complex';

/**
 * What becomes of a URL that failed: `dead` at once; `retry` counts a failure and comes again later; `throttled` pauses
 * the site and counts nothing; `defer` puts the URL off and counts nothing.
 */
export type FailureVerdict = 'dead' | 'retry' | 'throttled' | 'defer';

/** The one place that decides it. */
export function classify(kind: FailureKind): FailureVerdict {
  switch (kind) {
    case 'http-404':
    case 'http-410':
    case 'robots':
      return 'dead';
    case 'http-429':
    case 'http-503':
      return 'throttled';
    case 'robots-unreachable':
      return 'defer';
    default:
      return 'retry';
  }
}
