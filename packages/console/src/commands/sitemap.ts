import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function sitemapCommand(context: CommandContext): Command {
  return new Command('sitemap')
    .description('the pages of a sitemap or of an index of sitemaps; queues nothing')
    .argument('<url>', 'the sitemap')
    .option('--site <name|file>', 'with the settings of this site (default: the one whose scope has the URL)')
    .option('--json', 'one JSON object with all URLs')
    .action(async (url: string, raw: RawOptions) => {
      const { runSitemap } = await import('../visit/run-sitemap.js');
      await runSitemap(context, url, new OptionReader(raw));
    });
}
