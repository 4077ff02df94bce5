import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';
import { plural } from '../terminal/figures.js';
import { rebuildSite } from './rebuild-site.js';

/** `crawl rebuild`. */
export async function runRebuild({ terminal, signal }: CommandContext, options: OptionReader): Promise<void> {
  const { config, sites } = loadSetup({ sites: options.names('site'), problems: options.problems });
  await withStores({ config, signal }, async ({ redis, database }) => {
    for (const each of sites) {
      const rebuilt = await rebuildSite(redis, database, each, signal);
      const { site, done, dead } = rebuilt;
      if (options.is('json')) terminal.print(JSON.stringify(rebuilt));
      else
        terminal.print(
          `${site}: ${plural(done, 'page')} of MySQL ${done === 1 ? 'is' : 'are'} known as done, ${plural(dead, 'dead URL')} added`,
        );
    }
  });
}
