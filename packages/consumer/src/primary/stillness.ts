import type { Census, Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import type { WorkerProcess } from './worker-process.js';

const STILL_AFTER_MS = 60_000;

/** Says why, once a minute, in the log and for `crawl status`, when tasks wait and nothing has been finished for a minute. */
export function createStillnessWatch(
  frontiers: ReadonlyMap<string, Frontier>,
  workers: () => readonly WorkerProcess[],
  logger: Logger,
  { now = () => performance.now() }: { now?: () => number } = {},
): () => Promise<void> {
  const last = new Map<string, { finished: number; since: number; told: boolean }>();
  return async () => {
    for (const [site, frontier] of frontiers) {
      const census = await frontier.census();
      const finished = sum(census.counters, ['done', 'dead', 'failed']);
      const before = last.get(site);
      if (before === undefined || before.finished !== finished || census.waiting === 0) {
        if (before?.told === true) await frontier.standstill.clear();
        last.set(site, { finished, since: now(), told: false });
      } else if (now() - before.since >= STILL_AFTER_MS) {
        const reason = whyStill(census, site, workers());
        logger.warn(
          { site, waiting: census.waiting, inFlight: census.inFlight },
          `${site}: nothing finished for a minute: ${reason}`,
        );
        last.set(site, { finished, since: now(), told: true });
        await frontier.standstill.tell(reason);
      }
    }
  };
}

function whyStill({ pause, waiting, inFlight }: Census, site: string, workers: readonly WorkerProcess[]): string {
  if (pause.kind === 'held') return `the site is held: ${pause.reason} (\`crawl resume ${site}\` goes on)`;
  if (pause.kind === 'paused')
    return `the site is paused for ${Math.ceil((pause.leftMs ?? 0) / 1000)} s: ${pause.reason}`;
  if (workers.length === 0) return 'no worker of this node is alive';
  const reasons = new Set(workers.map((worker) => worker.waits[site]).filter((reason) => reason !== undefined));
  if (reasons.size > 0) return `${waiting} wait; ${[...reasons].join('; ')}`;
  return `${waiting} wait, ${inFlight} are in flight`;
}

function sum(counters: Readonly<Record<string, number>>, names: readonly string[]): number {
  return names.reduce((total, name) => total + (counters[name] ?? 0), 0);
}
