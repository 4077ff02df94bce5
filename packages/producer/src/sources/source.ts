import type { CanonicalUrl } from '@dist-crawl/core/url';

/** Something that may become a task. */
export interface Candidate {
  /** A URL as it was found: perhaps not one at all. */
  readonly text: string;
  /** Its canonical form, where the source knows it already: it is not read a second time then. */
  readonly url?: CanonicalUrl;
  /** Line of the list, from 1. */
  readonly line?: number;
  /** Number of the list page. */
  readonly page?: number;
}

/** Where candidates come from. They are made one at a time: however many there are, memory does not grow. */
export interface Source {
  /** For messages: `pages 1-200`. */
  readonly name: string;
  /** How many candidates there will be, where that is known beforehand. */
  readonly total: number | undefined;
  /** A new pass. It ends with an AbortError soon after the signal where it has to wait for input. */
  candidates(signal: AbortSignal): AsyncIterable<Candidate>;
}
