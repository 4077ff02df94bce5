import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('the whole crawl on this machine: servers, shop, producer, two nodes, scheduler')
    .option('--pages <n>', 'list pages of 24 goods to crawl (default: 200)')
    .option('--keep', 'leave everything running, and tell how to look at it')
    .option('--stop', 'stop what --keep left running')
    .action(async (raw: RawOptions) => {
      const { runDemoCommand } = await import('../demo/run-command.js');
      await runDemoCommand(context, new OptionReader(raw));
    });
}
