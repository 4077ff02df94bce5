import { EXIT } from '@dist-crawl/core/errors';
import { checkMysql } from './check-mysql.js';
import { checkRedis } from './check-redis.js';
import { checkSaved } from './check-saved.js';
import { checkSite } from './check-site.js';
import type { Finding } from './finding.js';
import { repairSite } from './repair-site.js';
import { showFindings } from './show-findings.js';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';

/** `crawl doctor`: looks only, and changes nothing but with `--repair`. */
export async function runDoctor({ terminal, signal, exitWith }: CommandContext, options: OptionReader): Promise<void> {
  const { config, sites } = loadSetup({ sites: options.names('site'), problems: options.problems });
  // Looks only: whatever is wrong must still be so after it looked, also a schema that is not up to date.
  const findings = await withStores({ config, signal, migrated: true }, async ({ redis, database }) => {
    const ofSites: Finding[] = [];
    let workers = 0;
    for (const each of sites) {
      if (options.is('repair')) ofSites.push(...(await repairSite(redis, database, each, signal)));
      const checked = await checkSite(redis, each);
      ofSites.push(...checked.findings);
      workers += checked.workers;
    }
    const ofMysql = await checkMysql(database, workers, signal);
    if (ofMysql.every(({ level }) => level !== 'violated')) {
      for (const each of sites) ofSites.push(await checkSaved(redis, database, each, signal));
    }
    return [...(await checkRedis(redis)), ...ofMysql, ...ofSites];
  });
  const healthy = findings.every(({ level }) => level !== 'violated');
  if (!healthy) exitWith(EXIT.failure);
  if (options.is('json')) terminal.print(JSON.stringify({ healthy, findings }));
  else for (const line of showFindings(findings, terminal.columns)) terminal.print(line);
}
