import { crawledUrls, type Database } from '@dist-crawl/core/db';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { plural } from '../terminal/figures.js';
import type { Finding } from './finding.js';

/** Done URLs that a look compares with MySQL: a few seconds' work. Repairing goes through all. */
const LOOK_AT = 20_000;

/** URLs that Redis holds for done and MySQL has no page of. */
export async function* unsavedUrls(
  frontier: Frontier,
  database: Database,
  signal: AbortSignal,
): AsyncGenerator<{ readonly checked: number; readonly unsaved: readonly string[] }> {
  for await (const urls of frontier.repair.doneUrls()) {
    signal.throwIfAborted();
    const saved = await crawledUrls(database, frontier.site, urls, { signal });
    yield { checked: urls.length, unsaved: urls.filter((url) => !saved.has(url)) };
  }
}

/** Whether what is done is saved. */
export async function checkSaved(
  redis: RedisClient,
  database: Database,
  { site }: LoadedSite,
  signal: AbortSignal,
): Promise<Finding> {
  let checked = 0;
  const unsaved = new Set<string>();
  for await (const look of unsavedUrls(openFrontier(redis, site), database, signal)) {
    checked += look.checked;
    for (const url of look.unsaved) unsaved.add(url);
    if (checked >= LOOK_AT) break;
  }
  return judgeSaved(site.name, checked, [...unsaved]);
}

function judgeSaved(site: string, checked: number, unsaved: readonly string[]): Finding {
  const urls = plural(checked, 'done URL');
  if (unsaved.length === 0) return { level: 'ok', subject: site, what: `${urls} compared with MySQL: all saved` };
  return {
    level: 'violated',
    subject: site,
    what: `${plural(unsaved.length, 'URL is', 'URLs are')} done in Redis with no page in MySQL, of ${checked} compared; \`crawl doctor --repair\` queues them again`,
    details: unsaved,
  };
}
