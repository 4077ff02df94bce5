import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { collect, OptionReader, type RawOptions } from '../setup/option-values.js';

export function deadCommand(context: CommandContext): Command {
  const dead = new Command('dead')
    .description('URLs that were given up: why, and another chance for them')
    .helpCommand(false);
  dead
    .command('list')
    .description('dead URLs with their last error')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--kind <kind>', 'only those of one kind, such as http-404')
    .option('--limit <n>', 'how many at most (default: 20)')
    .option('--json', 'one JSON object a line')
    .action(async (raw: RawOptions) => {
      const { runList } = await import('../dead/run-list.js');
      await runList(context, new OptionReader(raw));
    });
  dead
    .command('redrive')
    .description('queue dead URLs again, with a clean record')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--kind <kind>', 'those of one kind, such as timeout')
    .option('--url <url>', 'this URL; may be given more than once', collect)
    .option('--all', 'all dead URLs')
    .action(async (raw: RawOptions) => {
      const { runRedrive } = await import('../dead/run-redrive.js');
      await runRedrive(context, new OptionReader(raw));
    });
  return dead;
}
