import { inScope, type Site } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { createConnections, type Connections } from '../fetch/connections.js';
import { FetchFailure } from '../fetch/failure.js';
import { createFetcher, type Fetcher } from '../fetch/fetcher.js';
import { productTokenOf, userAgentOf } from '../fetch/identity.js';
import { resolveProxies } from '../proxy/proxy-address.js';
import type { ProxyHealth } from '../proxy/proxy-health.js';
import { createProxyPool, type ProxyPool } from '../proxy/proxy-pool.js';
import { tunnelThrough } from '../proxy/tunnel.js';
import { createMemoryRobotsCache, type RobotsCache } from '../robots/robots-cache.js';
import { createRobots, type Robots, type RobotsUnreachable, type RobotsVerdict } from '../robots/robots.js';

export interface SiteClientOptions {
  /** Where robots.txt files are shared with other processes; left out: in memory, for this client. */
  readonly robotsCache?: RobotsCache | undefined;
  /** URL or mail address that the User-Agent names, so that a site's owner can ask. */
  readonly contact?: string | undefined;
  /** Where `${NAME}` in the URLs of proxies is looked up. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Told once, when robots.txt is ignored. */
  readonly logger?: Warner | undefined;
}

/** What of a logger is needed here. */
interface Warner {
  warn(fields: object, message: string): void;
}

/** What is needed to ask one site for anything: its connections, its identity, its robots.txt. */
export interface SiteClient {
  readonly fetcher: Fetcher;
  readonly robots: Robots;
  /** Throws FetchFailure for a redirect out of scope, or to where robots.txt refuses. */
  readonly admit: (url: CanonicalUrl) => Promise<void>;
  /** How the site's proxies do; empty where it has none. */
  proxyHealth(): ProxyHealth[];
  /** Lets running requests end and closes the connections. */
  close(): Promise<void>;
}

const ROBOTS_TIMEOUT_MS = 20_000;

/** @throws ConfigError where a proxy's URL needs a name that the environment does not have */
export function createSiteClient(
  site: Site,
  { robotsCache, contact, logger, env = {} }: SiteClientOptions,
): SiteClient {
  if (site.robots === 'ignore') logger?.warn({ site: site.name }, 'robots.txt is ignored, as the site file says');
  const { allowPrivateAddresses } = site;
  const pool = proxyPool(site, env);
  const connections = pool ?? ownConnections(site);
  const userAgent = userAgentOf({ userAgent: site.userAgent, contact });
  const { headers, cookies } = site;
  const fetcher = createFetcher({ connections, allowPrivateAddresses, userAgent, headers, cookies });
  const obeyed = createRobots({
    fetcher,
    productToken: productTokenOf(userAgent),
    cache: robotsCache ?? createMemoryRobotsCache(),
    timeoutMs: Math.min(ROBOTS_TIMEOUT_MS, site.limits.timeoutMs),
  });
  const robots = site.robots === 'ignore' ? { ...obeyed, check: ignoring } : obeyed;
  return {
    fetcher,
    robots,
    async admit(url) {
      if (!inScope(site, url)) {
        throw new FetchFailure('out-of-scope', `sent on to ${url}, which is not in the site's scope`);
      }
      const verdict = await robots.check(url);
      if ('unreachable' in verdict) {
        // An address that is refused is refused for the page, too: asking again would not help.
        const kind = verdict.unreachable === 'private-address' ? 'private-address' : 'robots-unreachable';
        throw new FetchFailure(kind, `sent on to ${url}: ${verdict.message}`);
      }
      if (!verdict.allowed) throw new FetchFailure('robots', `sent on to ${url}: ${refusalOf(verdict)}`);
    },
    proxyHealth: () => pool?.health() ?? [],
    close: () => connections.close(),
  };
}

function ownConnections({ allowPrivateAddresses, pace }: Site): Connections {
  return createConnections({ allowPrivateAddresses, perOrigin: pace.concurrency });
}

function proxyPool(site: Site, env: Readonly<Record<string, string | undefined>>): ProxyPool | undefined {
  if (site.proxies === undefined) return undefined;
  const { allowPrivateAddresses, pace, proxies } = site;
  return createProxyPool({
    ...proxies,
    proxies: resolveProxies(site, env),
    connect: (proxy) =>
      createConnections({ allowPrivateAddresses, perOrigin: pace.concurrency, connector: tunnelThrough(proxy) }),
  });
}

async function ignoring(): Promise<RobotsVerdict | RobotsUnreachable> {
  return { allowed: true, crawlDelaySeconds: null, source: 'ignored' };
}

/** In words, which line of robots.txt refuses. */
export function refusalOf({ rule, line, agent }: RobotsVerdict): string {
  return rule === undefined ? 'robots.txt refuses' : `robots.txt refuses: line ${line}, ${rule}, for ${agent}`;
}
