import { openFrontier } from '@dist-crawl/core/frontier';
import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';
import { withRedis } from '../setup/with-servers.js';

export function pauseCommand({ terminal, signal }: CommandContext): Command {
  return new Command('pause')
    .description('give out no more tasks of a site, on all nodes, until `crawl resume`')
    .argument('<site>', 'name of the site')
    .option('--reason <text>', 'what `crawl status` shows', 'paused by hand')
    .action(async (name: string, raw: RawOptions) => {
      const options = new OptionReader(raw);
      const { config, sites } = loadSetup({ sites: [name], problems: options.problems });
      await withRedis({ config, signal }, async (redis) => {
        for (const { site } of sites) {
          await openFrontier(redis, site).operator.hold(options.text('reason') ?? '');
          terminal.print(
            `${site.name} is paused on all nodes. Tasks in flight go on; \`crawl resume ${site.name}\` ends it.`,
          );
        }
      });
    });
}

export function resumeCommand({ terminal, signal }: CommandContext): Command {
  return new Command('resume')
    .description('end a pause of a site, made by hand or by the site itself')
    .argument('<site>', 'name of the site')
    .action(async (name: string) => {
      const { config, sites } = loadSetup({ sites: [name], problems: [] });
      await withRedis({ config, signal }, async (redis) => {
        for (const { site } of sites) {
          const { operator, census } = openFrontier(redis, site);
          const { pause } = await census();
          await operator.resume();
          terminal.print(pause.kind === 'none' ? `${site.name} was not paused.` : `${site.name} goes on.`);
        }
      });
    });
}
