import { type Database, listDead, withdrawDead } from '@dist-crawl/core/db';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';

type Site = LoadedSite['site'];

/** What became of the URLs that were to get another chance. */
export interface RedriveCounts {
  /** Dead before, waiting now. */
  queued: number;
  /** Waiting, in flight or to be retried already; only its dead letter was left over. */
  pending: number;
  /** Crawled meanwhile; only its dead letter was left over. */
  done: number;
  /** Neither dead nor ever recorded as dead: nothing was done. */
  notDead: number;
}

const BATCH = 500;

/**
 * Redis first, then MySQL: when the process dies between the two, the URL is queued and its dead letter is still there, and the next
 * redrive takes that away. The other way round, a dead URL would stand there unexplained.
 */
export interface Redrive {
  /** All dead URLs of the site, of one kind where one is given. Those that die while this runs are left alone. */
  all(kind: string | undefined, onProgress?: (counts: RedriveCounts) => void): Promise<RedriveCounts>;
  /** These URLs, if they are dead. */
  these(urls: readonly CanonicalUrl[]): Promise<RedriveCounts>;
}

export function createRedrive(redis: RedisClient, database: Database, site: Site, signal: AbortSignal): Redrive {
  const frontier = openFrontier(redis, site);
  return {
    async all(kind, onProgress) {
      const began = (await frontier.census()).now;
      const counts = noCounts();
      let after = 0;
      for (;;) {
        signal.throwIfAborted();
        const page = await listDead(database, { site: site.name, kind, limit: BATCH, after }, { signal });
        const last = page.at(-1);
        if (last === undefined) return counts;
        after = last.id;
        // One that was redriven and died again comes back with a higher id: without this, a hopeless URL would go round.
        const letters = page.filter(({ lastFailure }) => lastFailure.getTime() <= began);
        const urls = letters.map(({ url }) => url as CanonicalUrl);
        const outcomes = await frontier.retries.redrive(urls);
        const unknown = urls.filter((_, index) => outcomes[index] === 'not-dead');
        const requeued = await requeueUnknown(frontier, unknown);
        counts.queued += outcomes.filter((outcome) => outcome === 'queued').length + requeued.queued;
        counts.pending += outcomes.filter((outcome) => outcome === 'pending').length + requeued.pending;
        counts.done += requeued.done;
        if (letters.length > 0) await withdrawDead(database, letters, { signal });
        onProgress?.(counts);
      }
    },
    async these(urls) {
      const counts = noCounts();
      for (let start = 0; start < urls.length; start += BATCH) {
        signal.throwIfAborted();
        const part = urls.slice(start, start + BATCH);
        const letters = await listDead(database, { site: site.name, urls: part, limit: BATCH }, { signal });
        const outcomes = await frontier.retries.redrive(part);
        counts.queued += outcomes.filter((outcome) => outcome === 'queued').length;
        counts.pending += outcomes.filter((outcome) => outcome === 'pending').length;
        counts.notDead += outcomes.filter((outcome) => outcome === 'not-dead').length;
        const alive = new Set<string>(part.filter((_, index) => outcomes[index] !== 'not-dead'));
        const over = letters.filter(({ url }) => alive.has(url));
        if (over.length > 0) await withdrawDead(database, over, { signal });
      }
      return counts;
    },
  };
}

/**
 * MySQL has them as dead and Redis does not: redriven by a run that was killed and crawled since, or forgotten by a Redis that lost
 * its memory. Queueing them tells the two apart, as it skips what is done.
 */
async function requeueUnknown(
  { intake }: Frontier,
  urls: readonly CanonicalUrl[],
): Promise<{ queued: number; pending: number; done: number }> {
  const { queued, pending, done } = await intake.enqueue(urls);
  return { queued, pending, done };
}

function noCounts(): RedriveCounts {
  return { queued: 0, pending: 0, done: 0, notDead: 0 };
}

/** The sums of several sites. */
export function addCounts(a: RedriveCounts, b: RedriveCounts): RedriveCounts {
  return {
    queued: a.queued + b.queued,
    pending: a.pending + b.pending,
    done: a.done + b.done,
    notDead: a.notDead + b.notDead,
  };
}

/** A URL as the user wrote it, in the form in which the site queues it; null for what is no http(s) URL. */
export function queueForm(site: Site, url: string): CanonicalUrl | null {
  const { trackingParameters } = site;
  return canonicalize(url, trackingParameters === undefined ? {} : { trackingParameters });
}
