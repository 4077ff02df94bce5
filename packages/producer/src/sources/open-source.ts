import type { Site } from '@dist-crawl/core/sites';
import type { Order } from '../settings.js';
import { pageRangeSource } from './page-range.js';
import { entriesSource } from './entries.js';
import { type Manners, sitemapSource } from './sitemap.js';
import type { Source } from './source.js';
import { stdinSource, urlListSource } from './url-list.js';

/** The source of what an order wants queued for one of its sites. Nothing is read yet. */
export function openSource(site: Site, { origin, shard }: Order, manners: Manners): Source {
  switch (origin.kind) {
    case 'pages':
      return pageRangeSource(site, origin.ranges, shard);
    case 'list':
      return urlListSource(origin.path, shard);
    case 'stdin':
      return stdinSource(shard);
    case 'entries':
      return entriesSource(site, shard);
    case 'sitemap':
      return sitemapSource(site, { start: origin.start, shard }, manners);
  }
}
