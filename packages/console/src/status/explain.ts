import { plural, showDuration, showRate } from '../terminal/figures.js';
import type { SiteStatus } from './site-status.js';

/** Below this rate a slow crawl looks as if it stood still: then the pace is named as the reason. */
const SLOW_PER_SECOND = 0.5;

/**
 * Why a site is as it is, in plain words: what holds it, what it waits for, or that it moves. The first sentence is the one that matters
 * most.
 */
export function explain(status: SiteStatus): string[] {
  return [...held(status), ...stands(status), ...work(status), ...retries(status), ...lost(status)];
}

function held({ site, pause }: SiteStatus): string[] {
  switch (pause.kind) {
    case 'held':
      return [`held: ${pause.reason}${/[.?!]$/.test(pause.reason) ? '' : ';'} \`crawl resume ${site}\` ends it`];
    case 'paused':
      return [`paused for ${showDuration(pause.leftMs ?? 0)} more: ${pause.reason || 'the site asked for it'}`];
    case 'none':
      return [];
  }
}

/** What a node says from inside: MySQL away, all slots taken. A hold or a pause has been told already. */
function stands({ standstill, pause }: SiteStatus): string[] {
  if (standstill === null || pause.kind !== 'none') return [];
  return [`nothing ended for a minute: ${standstill}`];
}

function work(status: SiteStatus): string[] {
  const { waiting, inFlight, pending, done, dead, producerRounds, pause, pace, pagesPerSecond } = status;
  if (pending === 0) {
    if (producerRounds > 0) return ['nothing is queued yet; a producer is at work'];
    if (done + dead === 0) return ['nothing was queued yet; start a producer'];
    const given = dead === 0 ? '' : `; ${plural(dead, 'URL was', 'URLs were')} given up (\`crawl dead list\`)`;
    return [`finished: nothing is waiting${given}`];
  }
  if (waiting > 0 && !status.nodes.some((node) => node.alive)) {
    const urls = plural(waiting, 'URL waits', 'URLs wait');
    return [`no consumer is at work on this site: ${urls}; start one (\`pnpm --filter consumer start\`)`];
  }
  if (pause.kind !== 'none' || waiting + inFlight === 0) return [];
  if (pace.ratePerSecond !== null && pace.ratePerSecond < SLOW_PER_SECOND) {
    return [`slow by its pace: a page every ${showDuration(1000 / pace.ratePerSecond)} for all nodes together`];
  }
  if (pagesPerSecond === 0 && inFlight > 0) {
    return [`${plural(inFlight, 'page is', 'pages are')} being fetched; none ended while this looked`];
  }
  if (pagesPerSecond === null || pagesPerSecond === 0) return [];
  const left = showDuration(((waiting + inFlight) / pagesPerSecond) * 1000);
  return [`moving: ${showRate(pagesPerSecond)} pages/s, about ${left} for what is known now`];
}

function retries({ waiting, inFlight, failed, scheduler }: SiteStatus): string[] {
  if (failed === 0) return [];
  const urls = plural(failed, 'failed URL waits', 'failed URLs wait');
  if (scheduler === null)
    return [`no retry-scheduler is alive: ${urls}; start one (\`pnpm --filter retry-scheduler start\`)`];
  if (waiting + inFlight > 0) return [];
  return [`${urls} for the retry-scheduler, which brings them back by RETRY_CRON '${scheduler.retryCron}'`];
}

function lost({ nodes }: SiteStatus): string[] {
  return nodes
    .filter((node) => !node.alive)
    .map(
      ({ tag, silentMs }) =>
        `node ${tag} is silent for ${showDuration(silentMs)}: its tasks are taken back by other nodes or the retry-scheduler`,
    );
}
