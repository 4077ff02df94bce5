import { pageUrl, type Site } from '@dist-crawl/core/sites';
import { countPages, type PageRange, pagesOf, showRanges } from '../page-ranges.js';
import type { Shard } from '../shard.js';
import type { Source } from './source.js';

/** The list pages of a site, by number. */
export function pageRangeSource(site: Site, ranges: readonly PageRange[], shard: Shard): Source {
  return {
    name: `pages ${showRanges(ranges)}`,
    total: countPages(ranges, shard),
    // oxlint-disable-next-line require-await -- a source is asynchronous; this one has nothing to wait for
    async *candidates() {
      for (const page of pagesOf(ranges, shard)) {
        const url = pageUrl(site, page);
        yield url === null ? { text: String(site.pages).replace('{page}', String(page)) } : { text: url, url, page };
      }
    },
  };
}
