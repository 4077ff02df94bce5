import { createHash } from 'node:crypto';
import type { Frontier } from '@dist-crawl/core/frontier';
import { createPageNumbers, pageUrl, type Site } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { Visit, VisitedPage } from '@dist-crawl/page';
import type { HeldTask } from './held-tasks.js';

/** What is noted in Redis of a list page with goods of its own. */
export interface RangeNote {
  readonly page: number;
  /** Fingerprint of its goods. */
  readonly goods: string;
  /** A later page that was saved as new, and has the same goods. */
  readonly supersedes: CanonicalUrl | null;
}

export type RangeJudgement =
  | { readonly kind: 'usual'; readonly note?: RangeNote }
  /** Empty, and perhaps beyond the end: to be asked for once more, `afterMs` later. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** Beyond the end of the range: done, with no rows. */
  | { readonly kind: 'beyond'; readonly outcome: 'repeated' | 'empty' | 'missing'; readonly message: string };

/** In this time the pages that were under way beside an empty one are noted. */
const AGAIN_MS = 2_000;

/**
 * Tells whether a visited list page lies beyond the end of its range. Data flow: consumers note each page's goods in
 * Redis (core/frontier, ranges), producers with `--until-empty` read there how far the range came.
 */
export class RangePages {
  readonly #frontier: Frontier;
  readonly #site: Site;
  readonly #pageOf: (url: string) => number | null;

  constructor(frontier: Frontier, site: Site) {
    this.#frontier = frontier;
    this.#site = site;
    this.#pageOf = createPageNumbers(site);
  }

  async judge(task: HeldTask, visit: Visit): Promise<RangeJudgement> {
    const page = this.#pageOf(task.url);
    if (page === null) return { kind: 'usual' };
    if (visit.outcome === 'ok' && visit.goods.length > 0) return this.#compare(page, task, visit);
    const brought = missing(visit);
    // Where nobody said that the range may end, a page without goods is a failure.
    if (task.record.mayEnd === undefined || brought === null) return { kind: 'usual' };
    const { kind } = await this.#frontier.ranges.note(page, brought, task.record.mayEnd);
    if (kind === 'early') return { kind: 'again', afterMs: AGAIN_MS };
    if (kind !== 'end') return { kind: 'usual' };
    return { kind: 'beyond', outcome: brought, message: 'after the last page with goods' };
  }

  async #compare(page: number, task: HeldTask, visit: VisitedPage): Promise<RangeJudgement> {
    const goods = fingerprint(visit);
    const verdict = await this.#frontier.ranges.note(page, { goods }, task.record.mayEnd);
    switch (verdict.kind) {
      case 'repeated':
        return { kind: 'beyond', outcome: 'repeated', message: `has the goods of page ${verdict.of}` };
      case 'new': {
        const supersedes = verdict.supersedes === null ? null : pageUrl(this.#site, verdict.supersedes);
        return { kind: 'usual', note: { page, goods, supersedes } };
      }
      case 'early':
      case 'end':
      case 'unexpected':
        return { kind: 'usual' };
    }
  }
}

/** The same for the same goods in any order. A row without an address is known by all that it holds. */
function fingerprint({ goods }: VisitedPage): string {
  const keys = new Set(goods.map((row) => row.goods_url ?? JSON.stringify(row)));
  return createHash('sha256')
    .update([...keys].toSorted().join('\n'))
    .digest('base64url')
    .slice(0, 22);
}

function missing({ outcome }: Visit): 'empty' | 'missing' | null {
  if (outcome === 'ok' || outcome === 'no-goods') return 'empty';
  return outcome === 'http-404' || outcome === 'http-410' ? 'missing' : null;
}

export interface Repeated {
  /** Of the pages asked about. */
  readonly own: ReadonlySet<string>;
  /** These and others, saved as new, which are to be marked in MySQL. */
  readonly marked: readonly string[];
}

/**
 * Pages of one range are crawled at the same time, so a later one may have been taken as new before the earlier one with
 * the same goods came. Asked after the commit of pages: whichever comes second, the commit of the later page or the note of
 * the earlier one, finds it.
 */
export async function findRepeated(
  frontier: Frontier,
  pages: readonly { readonly task: HeldTask; readonly note?: RangeNote | undefined }[],
): Promise<Repeated> {
  const noted = pages.flatMap(({ task: { url }, note }) => (note === undefined ? [] : [{ url, ...note }]));
  const superseded = await frontier.ranges.superseded(noted);
  const own = noted.filter((_, index) => superseded[index] === true).map(({ url }) => url);
  const later = noted.flatMap(({ supersedes }) => supersedes ?? []);
  return { own: new Set(own), marked: [...own, ...later] };
}
