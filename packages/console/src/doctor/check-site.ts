import { type AuditReport, openFrontier } from '@dist-crawl/core/frontier';
import type { RedisClient } from '@dist-crawl/core/redis';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { nodesOf } from '../status/site-status.js';
import { plural, showDuration } from '../terminal/figures.js';
import type { Finding } from './finding.js';

/** Checks the invariants on a site's live keys, and who is at work there. Also gives the number of workers alive. */
export async function checkSite(
  redis: RedisClient,
  { site }: LoadedSite,
): Promise<{ readonly findings: Finding[]; readonly workers: number }> {
  const frontier = openFrontier(redis, site);
  const { workers } = await frontier.census();
  const nodes = nodesOf(workers);
  const alive = nodes.filter((node) => node.alive).reduce((sum, node) => sum + node.workers, 0);
  const silent = nodes.filter((node) => !node.alive);
  return {
    workers: alive,
    findings: [
      judgeAudit(site.name, await frontier.audit()),
      ...silent.map(({ tag, silentMs }): Finding => ({
        level: 'warning',
        subject: site.name,
        what: `node ${tag} is silent for ${showDuration(silentMs)}; what it held is taken back while a consumer or the retry-scheduler runs`,
      })),
    ],
  };
}

export function judgeAudit(site: string, { checked, violations }: AuditReport): Finding {
  const urls = plural(checked, 'URL');
  if (violations.length === 0) return { level: 'ok', subject: site, what: `${urls} checked: each stands in one place` };
  return {
    level: 'violated',
    subject: site,
    what: `${plural(violations.length, 'URL stands', 'URLs stand')} where none may, of ${checked} checked`,
    details: violations.map(({ url, invariant, what }) => `${url}: ${what} (invariant ${invariant})`),
  };
}
