import { EXIT } from '@dist-crawl/core/errors';
import type { CommandContext } from '../setup/command-context.js';
import type { OptionReader } from '../setup/option-values.js';
import { loadPagesSetup } from './pages-setup.js';
import { showAnswer } from './show-answer.js';
import { visitAll } from './visit-all.js';

/** `crawl try`: visits the URLs and shows what each gave. */
export async function runTry(
  { terminal, signal, exitWith }: CommandContext,
  urls: readonly string[],
  options: OptionReader,
): Promise<void> {
  const { config, env, choose } = loadPagesSetup(options);
  let first = true;
  await visitAll(urls.map(choose), {
    contact: config.crawlerContact,
    env,
    signal,
    onAnswer: (answer) => {
      if (answer.outcome !== 'ok') exitWith(EXIT.failure);
      if (options.is('json')) return terminal.print(JSON.stringify(answer));
      for (const line of [...(first ? [] : ['']), ...showAnswer(answer, terminal.columns)]) terminal.print(line);
      first = false;
    },
  });
}
