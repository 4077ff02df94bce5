import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function rebuildCommand(context: CommandContext): Command {
  return new Command('rebuild')
    .description('tell Redis what MySQL knows as crawled or dead, after Redis lost data')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--json', 'one JSON object a site')
    .action(async (raw: RawOptions) => {
      const { runRebuild } = await import('../rebuild/run-rebuild.js');
      await runRebuild(context, new OptionReader(raw));
    });
}
