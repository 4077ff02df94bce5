import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function robotsCommand(context: CommandContext): Command {
  return new Command('robots')
    .description('whether robots.txt allows a URL, and which rule says so (exit code 1 when it does not)')
    .argument('<url>', 'the URL')
    .option('--site <name|file>', 'ask with the user agent of this site (default: the one whose scope has the URL)')
    .option('--json', 'one JSON object')
    .action(async (url: string, raw: RawOptions) => {
      const { runRobots } = await import('../visit/run-robots.js');
      await runRobots(context, url, new OptionReader(raw));
    });
}
