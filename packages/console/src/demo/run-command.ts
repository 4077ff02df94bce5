import { wholeNumber } from '@dist-crawl/core/config';
import { ConfigError, EXIT } from '@dist-crawl/core/errors';
import { RoleDiedError } from './cast.js';
import { demoFolders } from './folders.js';
import { runDemo } from './run-demo.js';
import { stopDemo } from './keep.js';
import type { CommandContext } from '../setup/command-context.js';
import { isServerProblem } from '../setup/server-problem.js';
import type { OptionReader } from '../setup/option-values.js';

/** List pages that are crawled without --pages. */
const DEFAULT_PAGES = 200;

/** `crawl demo`, and `--stop` for what `--keep` left running. */
export async function runDemoCommand(
  { terminal, signal, exitWith }: CommandContext,
  options: OptionReader,
): Promise<void> {
  const pages = options.value('pages', wholeNumber(1, 1_000_000)) ?? DEFAULT_PAGES;
  if (options.is('stop') && options.is('keep')) options.problem('stop', 'goes without --keep', 'one of the two');
  if (options.problems.length > 0) throw new ConfigError(options.problems);
  if (options.is('stop')) {
    const stopped = await stopDemo(demoFolders());
    terminal.print(stopped.length === 0 ? 'No demo was running.' : `Stopped: ${stopped.join(', ')}.`);
    return;
  }
  try {
    const well = await runDemo({ pages, keep: options.is('keep'), terminal, signal });
    if (!well) exitWith(EXIT.failure);
  } catch (error) {
    if (!(error instanceof RoleDiedError) && !isServerProblem(error)) throw error;
    terminal.note(plainly(error.message));
    exitWith(EXIT.failure);
  }
}

/** The demo's folder is not the user's to choose: who uses it is what they need to know. */
function plainly(message: string): string {
  const other = /is in use by process (\d+)/u.exec(message)?.[1];
  if (other === undefined) return message;
  return `A demo runs already (process ${other}). Wait for its end, or stop it with Ctrl-C in its terminal.`;
}
