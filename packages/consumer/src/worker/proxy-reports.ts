import type { Frontier } from '@dist-crawl/core/frontier';
import type { ProxyHealth, Visitor } from '@dist-crawl/page';

/** Makes what tells Redis how a site's proxies did since the last call, for `crawl status`. */
export function createProxyReports(frontier: Frontier, visitor: Visitor): () => Promise<void> {
  const last = new Map<string, ProxyHealth>();
  return async () => {
    const changed = visitor.proxyHealth().flatMap((health) => {
      const before = last.get(health.proxy);
      const report = {
        ...health,
        answered: health.answered - (before?.answered ?? 0),
        failed: health.failed - (before?.failed ?? 0),
        rests: health.rests - (before?.rests ?? 0),
      };
      // The end of a rest needs no telling: Redis knows until when it lasts.
      return report.answered + report.failed > 0 || before === undefined ? [{ health, report }] : [];
    });
    await frontier.proxies.report(changed.map(({ report }) => report));
    for (const { health } of changed) last.set(health.proxy, health);
  };
}
