import { EXIT } from '@dist-crawl/core/errors';
import { checkMysql } from './check-mysql.js';
import { checkRedis } from './check-redis.js';
import { checkSite } from './check-site.js';
import type { Finding } from './finding.js';
import { showFindings } from './show-findings.js';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';

/** `crawl doctor`: looks only, changes nothing. */
export async function runDoctor({ terminal, signal, exitWith }: CommandContext, options: OptionReader): Promise<void> {
  const { config, sites } = loadSetup({ sites: options.names('site'), problems: options.problems });
  // Looks only: whatever is wrong must still be so after it looked, also a schema that is not up to date.
  const findings = await withStores({ config, signal, migrated: true }, async ({ redis, database }) => {
    const ofSites: Finding[] = [];
    let workers = 0;
    for (const each of sites) {
      const checked = await checkSite(redis, each);
      ofSites.push(...checked.findings);
      workers += checked.workers;
    }
    return [...(await checkRedis(redis)), ...(await checkMysql(database, workers, signal)), ...ofSites];
  });
  const healthy = findings.every(({ level }) => level !== 'violated');
  if (!healthy) exitWith(EXIT.failure);
  if (options.is('json')) terminal.print(JSON.stringify({ healthy, findings }));
  else for (const line of showFindings(findings, terminal.columns)) terminal.print(line);
}
