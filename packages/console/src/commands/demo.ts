import { wholeNumber } from '@dist-crawl/core/config';
import { ConfigError, EXIT } from '@dist-crawl/core/errors';
import { Command } from 'commander';
import { RoleDiedError } from '../demo/cast.js';
import { demoFolders } from '../demo/folders.js';
import { runDemo } from '../demo/run-demo.js';
import { stopRunning } from '../demo/running.js';
import type { CommandContext } from '../setup/command-context.js';
import { isServerProblem } from '../setup/server-problem.js';
import { OptionReader, type RawOptions } from '../setup/option-values.js';

const DEFAULT_PAGES = 200;

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('the whole crawl on this machine: servers, shop, producer, two nodes, scheduler')
    .option('--pages <n>', `list pages of 24 goods to crawl (default: ${DEFAULT_PAGES})`)
    .option('--keep', 'leave everything running, and tell how to look at it')
    .option('--stop', 'stop what --keep left running')
    .action((raw: RawOptions) => demo(context, new OptionReader(raw)));
}

async function demo({ terminal, signal, exitWith }: CommandContext, options: OptionReader): Promise<void> {
  const pages = options.value('pages', wholeNumber(1, 1_000_000)) ?? DEFAULT_PAGES;
  if (options.is('stop') && options.is('keep')) options.problem('stop', 'goes without --keep', 'one of the two');
  if (options.problems.length > 0) throw new ConfigError(options.problems);
  if (options.is('stop')) {
    const stopped = await stopRunning(demoFolders().recordFile);
    terminal.print(stopped.length === 0 ? 'No demo was running.' : `Stopped: ${stopped.join(', ')}.`);
    return;
  }
  try {
    const well = await runDemo({ pages, keep: options.is('keep'), terminal, signal });
    if (!well) exitWith(EXIT.failure);
  } catch (error) {
    if (!(error instanceof RoleDiedError) && !isServerProblem(error)) throw error;
    terminal.note(error.message);
    exitWith(EXIT.failure);
  }
}
