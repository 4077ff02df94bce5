import { type Config, defineFlags, loadConfig, names, oneOf, readFlags } from '@dist-crawl/core/config';
import { loadSites, type Site } from '@dist-crawl/core/sites';
import { validate } from 'node-cron';

const flags = defineFlags({
  usage: 'pnpm --filter retry-scheduler start --',
  about:
    'Queues failed URLs again, gives up those that failed too often, recovers the tasks of lost nodes and archives old ' +
    'done URLs. Any number may run; each job runs once a tick.',
  specs: {
    sites: { syntax: '--site <names>', doc: 'sites to serve, separated by commas (default: all)', value: names() },
    once: {
      syntax: '--once <job>',
      doc: 'run retry, recover or archive one time now, say what it did, and exit',
      value: oneOf(['retry', 'recover', 'archive']),
    },
  },
});

export interface Settings {
  readonly config: Config<'retry-scheduler'>;
  readonly sites: readonly Site[];
  readonly once: 'retry' | 'recover' | 'archive' | undefined;
}

/**
 * Flags, environment and site files.
 * @throws ConfigError with all problems
 */
export function readSettings(): Settings {
  const given = readFlags(flags);
  const config = loadConfig('retry-scheduler', { flags: given, isCron: validate });
  const sites = loadSites(config.sitesDir, given.values.sites).map(({ site }) => site);
  return { config, sites, once: given.values.once };
}
