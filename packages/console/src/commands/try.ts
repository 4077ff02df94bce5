import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function tryCommand(context: CommandContext): Command {
  return new Command('try')
    .description('fetch a page and show what would be saved; saves nothing, needs no server')
    .argument('<url...>', 'one URL or several')
    .option('--site <name|file>', 'by the rules of this site (default: the one whose scope has the URL)')
    .option('--json', 'one line of JSON a URL, in order')
    .action(async (urls: string[], raw: RawOptions) => {
      const { runTry } = await import('../visit/run-try.js');
      await runTry(context, urls, new OptionReader(raw));
    });
}
