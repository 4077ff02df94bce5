import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function paceCommand(context: CommandContext): Command {
  return new Command('pace')
    .description("show a site's pace, or change it on all nodes while they crawl")
    .argument('<site>', 'name of the site')
    .option('--rate <rate>', 'pages of all nodes together, such as 5/s, 30/m, 600/h, or none')
    .option('--concurrency <n>', 'pages at once, of all nodes together')
    .option('--reset', 'as the site file says again')
    .action(async (name: string, raw: RawOptions) => {
      const { runPace } = await import('../pace/run-pace.js');
      await runPace(context, name, new OptionReader(raw));
    });
}
