import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('counts of every state, rate, nodes, and why nothing moves')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--watch', 'again every 2 seconds, until Ctrl-C')
    .option('--json', 'one JSON object a look')
    .action(async (raw: RawOptions) => {
      const { runStatus } = await import('../status/run-status.js');
      await runStatus(context, new OptionReader(raw));
    });
}
