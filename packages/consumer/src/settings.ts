import { defineFlags, loadConfig, names, readFlags, siteEnv, type Config, type Env } from '@dist-crawl/core/config';
import { findSites } from '@dist-crawl/core/sites';
import { compileSites, resolveProxies, type CompiledSite } from '@dist-crawl/page';

const flags = defineFlags({
  usage: 'pnpm --filter consumer start --',
  about: 'Crawls what waits in Redis and saves goods to MySQL. Start one on each node.',
  specs: {
    sites: { syntax: '--site <names>', doc: 'sites to serve, separated by commas (default: all)', value: names() },
    untilDone: { syntax: '--until-done', doc: 'exit when no producer round is under way and nothing is left to crawl' },
  },
});

export interface Settings {
  readonly config: Config<'consumer'>;
  readonly sites: readonly CompiledSite[];
  readonly untilDone: boolean;
  /** What `${NAME}` in site files stands for. */
  readonly env: Env;
}

/**
 * Flags, environment and site files, read alike by the primary and its workers.
 * @throws ConfigError with all problems
 */
export async function readSettings(): Promise<Settings> {
  const given = readFlags(flags);
  const config = loadConfig('consumer', { flags: given });
  const sites = await compileSites(findSites(config.sitesDir, given.values.sites));
  const env = siteEnv(config.home);
  for (const { site } of sites) resolveProxies(site, env);
  return { config, sites, env, untilDone: given.values.untilDone };
}
