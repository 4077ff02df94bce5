import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { CharsetSource } from '../charset/decode.js';
import type { ExtractedPage } from '../extract/index.js';
import type { RobotsVerdict } from '../robots/robots.js';
import type { FailureKind, FailureVerdict } from './classify.js';

/** What one visit to a URL found out about the answer. */
export interface VisitedAnswer {
  /** Where redirects ended, in queue form. */
  readonly finalUrl: CanonicalUrl;
  /** The URLs that sent on, in order. */
  readonly redirects: readonly CanonicalUrl[];
  readonly robots: RobotsVerdict;
  readonly status: number;
  /** Bytes of the body as sent. */
  readonly bytes: number;
  /** SHA-256 of the body, unpacked. */
  readonly contentHash: Buffer;
  readonly charset: string;
  readonly charsetSource: CharsetSource;
  readonly replacementCharacters: number;
  /** Validators, for the next visit. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What was read in the page. */
export type VisitedContent = Pick<
  ExtractedPage,
  'kind' | 'title' | 'goods' | 'unreadablePrices' | 'links' | 'follow' | 'canonical'
>;

export interface VisitedPage extends VisitedAnswer, VisitedContent {
  readonly outcome: 'ok';
}

/** The page is as it was when its validators were given: nothing was sent, nothing read. */
export interface UnchangedVisit extends Partial<VisitedAnswer>, Partial<VisitedContent> {
  readonly outcome: 'unchanged';
  readonly finalUrl: CanonicalUrl;
  readonly redirects: readonly CanonicalUrl[];
  readonly robots: RobotsVerdict;
  readonly status: 304;
}

/** A visit that gave no page to save, with whatever is known all the same. */
export interface FailedVisit extends Partial<VisitedAnswer>, Partial<VisitedContent> {
  readonly outcome: FailureKind;
  readonly verdict: FailureVerdict;
  readonly message: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
}

export type Visit = VisitedPage | UnchangedVisit | FailedVisit;
