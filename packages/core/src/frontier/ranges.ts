import type { RedisClient, ScriptRunner, SiteKeys } from '../redis/index.js';
import type { CanonicalUrl } from '../url/index.js';
import * as scripts from './scripts.js';

/** What a list page brought: its goods, as a fingerprint that is the same for the same goods, or none, or a 404. */
export type Brought = { readonly goods: string } | 'empty' | 'missing';

export type RangeVerdict =
  /** `supersedes`: a later page that was taken as new, and has the same goods. */
  | { readonly kind: 'new'; readonly supersedes: number | null }
  /** All its goods are those of page `of`: many shops answer a number beyond the last page so. */
  | { readonly kind: 'repeated'; readonly of: number }
  /** Empty for the first time: to be looked at again in some seconds, before it counts. */
  | { readonly kind: 'early' }
  /** Nothing there, after the last page with goods. */
  | { readonly kind: 'end' }
  /** Nothing there, and not beyond the last page with goods: a failure like any other. */
  | { readonly kind: 'unexpected' };

export interface RangePage {
  readonly page: number;
  readonly url: CanonicalUrl;
}

/**
 * Finds the end of a range of list pages, for all nodes together. Consumers note what each page brought; producers
 * that queue a range until it is empty look how far it came. It rests on the last 10,000 pages.
 */
export interface Ranges {
  /** The time by Redis, ms since 1970: a round that may end begins with it. */
  now(): Promise<number>;
  /** @param since - the task's `mayEnd`; undefined: its round does not end early */
  note(page: number, brought: Brought, since: number | undefined): Promise<RangeVerdict>;
  /** Which of the fingerprints now belong to a page before the one given here. */
  superseded(pages: readonly { readonly page: number; readonly goods: string }[]): Promise<readonly boolean[]>;
  /** `end`: noted as beyond the end, at `since` or later; `waits`: to be crawled; `passed`: all else. */
  look(pages: readonly RangePage[], since: number): Promise<readonly ('end' | 'waits' | 'passed')[]>;
}

export function createRanges(runner: ScriptRunner, client: RedisClient, keys: SiteKeys): Ranges {
  return {
    async now() {
      const [seconds, micros] = await client.time();
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    },
    async note(page, brought, since = 0) {
      const [kind, other] = await runner.run(scripts.rangeNote, {
        args:
          typeof brought === 'string'
            ? { page, brought, fingerprint: '', since }
            : { page, brought: 'goods', fingerprint: brought.goods, since },
      });
      switch (kind) {
        case 'new':
          return { kind, supersedes: other === 0 ? null : other };
        case 'repeated':
          return { kind, of: other };
        case 'early':
        case 'end':
        case 'unexpected':
          return { kind };
      }
    },
    async superseded(pages) {
      if (pages.length === 0) return [];
      const lowest = await client.zmscore(keys.rangeGoods, ...pages.map(({ goods }) => goods));
      return pages.map(({ page }, index) => Number(lowest[index] ?? page) < page);
    },
    async look(pages, since) {
      if (pages.length === 0) return [];
      return runner.run(scripts.rangeLook, { args: { since }, rest: pages.flatMap(({ page, url }) => [page, url]) });
    },
  };
}
