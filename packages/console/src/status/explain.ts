import { plural, showDuration, showRate } from '../terminal/figures.js';
import type { SiteStatus } from './site-status.js';

/** Below this rate a slow crawl looks as if it stood still: then the pace is named as the reason. */
const SLOW_PER_SECOND = 0.5;

/**
 * Why a site is as it is, in plain words: what holds it, what it waits for, or that it moves. The first sentence is the one that matters
 * most.
 */
export function explain(status: SiteStatus): string[] {
  return [...held(status), ...stands(status), ...work(status), ...lost(status)];
}

function held({ site, pause }: SiteStatus): string[] {
  switch (pause.kind) {
    case 'held':
      return [`held: ${pause.reason}; \`crawl resume ${site}\` ends it`];
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
  const { waiting, inFlight, failed, pending, done, dead, producerRounds, pause, pace, pagesPerSecond } = status;
  const alive = status.nodes.some((node) => node.alive);
  if (pending === 0) {
    if (producerRounds > 0) return ['nothing is queued yet; a producer is at work'];
    return done + dead === 0 ? ['nothing was queued yet; start a producer'] : ['finished: nothing is waiting'];
  }
  const reasons: string[] = [];
  if (waiting > 0 && !alive) {
    const urls = plural(waiting, 'URL waits', 'URLs wait');
    reasons.push(`no consumer is at work on this site: ${urls}; start one (\`pnpm --filter consumer start\`)`);
  }
  if (waiting === 0 && inFlight === 0 && failed > 0) {
    reasons.push(
      `${plural(failed, 'failed URL waits', 'failed URLs wait')} for the retry-scheduler (RETRY_CRON says when)`,
    );
  }
  if (pause.kind !== 'none' || reasons.length > 0) return reasons;
  if (pace.ratePerSecond !== null && pace.ratePerSecond < SLOW_PER_SECOND) {
    reasons.push(`slow by its pace: a page every ${showDuration(1000 / pace.ratePerSecond)} for all nodes together`);
  } else if (pagesPerSecond === 0 && inFlight > 0) {
    reasons.push(`${plural(inFlight, 'page is', 'pages are')} being fetched; none ended while this looked`);
  } else if (pagesPerSecond !== null && pagesPerSecond > 0) {
    reasons.push(
      `moving: ${showRate(pagesPerSecond)} pages/s, about ${showDuration(((waiting + inFlight) / pagesPerSecond) * 1000)} left`,
    );
  }
  return reasons;
}

function lost({ nodes }: SiteStatus): string[] {
  return nodes
    .filter((node) => !node.alive)
    .map(
      ({ tag, silentMs }) =>
        `node ${tag} is silent for ${showDuration(silentMs)}: its tasks are taken back by other nodes or the retry-scheduler`,
    );
}
