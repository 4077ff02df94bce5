import { type Database, donePages } from '@dist-crawl/core/db';
import { type Frontier, type Mended, openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { plural } from '../terminal/figures.js';
import { unsavedUrls } from './check-saved.js';
import type { Finding } from './finding.js';

const WHERE: Readonly<Record<Mended, string>> = {
  waiting: 'waits in the queue now',
  'in-flight': 'is in flight alone now',
  pending: 'is pending again where it stood',
  dead: 'stays dead, and was taken out of the queue',
  done: 'stays done, and was taken out of the queue',
};

/** Mends what can be mended of a site's keys, while work goes on, and tells each thing it did. */
export async function repairSite(
  redis: RedisClient,
  database: Database,
  { site }: LoadedSite,
  signal: AbortSignal,
): Promise<Finding[]> {
  const frontier = openFrontier(redis, site);
  const mended = (what: string, details: readonly string[] = []): Finding => ({
    level: 'mended',
    subject: site.name,
    what,
    ...(details.length === 0 ? {} : { details }),
  });
  const findings: Finding[] = [];
  for (const { worker, tasks } of await frontier.repair.recoverUnknown()) {
    findings.push(
      mended(`${plural(tasks, 'URL')} of worker ${worker}, which is on no register, wait in the queue again`),
    );
  }
  const { violations } = await frontier.audit();
  const moved = await frontier.repair.mend([...new Set(violations.map(({ url }) => url))]);
  if (moved.length > 0) {
    findings.push(
      mended(
        `${plural(moved.length, 'URL stands', 'URLs stand')} in one place again`,
        moved.map(({ url, now }) => `${url}: ${WHERE[now]}`),
      ),
    );
  }
  return [...findings, ...(await queueUnsaved(frontier, database, signal, mended))];
}

/** Done in Redis, and no page in MySQL: crawled again. */
async function queueUnsaved(
  frontier: Frontier,
  database: Database,
  signal: AbortSignal,
  mended: (what: string, details: readonly string[]) => Finding,
): Promise<Finding[]> {
  const queued: string[] = [];
  for await (const { unsaved } of unsavedUrls(frontier, database, signal)) {
    if (unsaved.length === 0) continue;
    // MySQL without any page of the site is another database sooner than a loss of all its rows.
    if (
      queued.length === 0 &&
      (await donePages(database, frontier.site, { afterId: 0, limit: 1, includeArchived: true })).length === 0
    ) {
      const what = 'MySQL has no page of this site at all: is DATABASE_URL the right one? Nothing was queued again';
      return [{ level: 'violated', subject: frontier.site, what }];
    }
    await frontier.intake.enqueue(unsaved as readonly CanonicalUrl[], { fresh: true });
    queued.push(...unsaved);
  }
  if (queued.length === 0) return [];
  return [mended(`${plural(queued.length, 'URL was', 'URLs were')} done with no page in MySQL: queued again`, queued)];
}
