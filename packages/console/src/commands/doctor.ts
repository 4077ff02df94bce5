import { EXIT } from '@dist-crawl/core/errors';
import { Command } from 'commander';
import { checkMysql } from '../doctor/check-mysql.js';
import { checkRedis } from '../doctor/check-redis.js';
import { checkSite } from '../doctor/check-site.js';
import type { Finding } from '../doctor/finding.js';
import { showFindings } from '../doctor/show-findings.js';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';

export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('check the live keys, the servers and their settings (exit code 1 when something is wrong)')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--json', 'one JSON object with every finding')
    .action((raw: RawOptions) => doctor(context, new OptionReader(raw)));
}

async function doctor({ terminal, signal, exitWith }: CommandContext, options: OptionReader): Promise<void> {
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
