import { entryUrls, type Site } from '@dist-crawl/core/sites';
import { isIn, type Shard } from '../shard.js';
import type { Source } from './source.js';

/**
 * The entry pages of a site: tasks like any others, so that the site's pace and its robots.txt hold for them as they are.
 * Consumers queue what their links lead to.
 */
export function entriesSource(site: Site, shard: Shard): Source {
  const urls = entryUrls(site).filter((_, index) => isIn(shard, index + 1));
  return {
    name: 'entries',
    total: urls.length,
    // oxlint-disable-next-line require-await -- a source is asynchronous; this one has nothing to wait for
    async *candidates() {
      for (const url of urls) yield { text: url, url };
    },
  };
}
