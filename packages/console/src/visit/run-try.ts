import { siteEnv } from '@dist-crawl/core/config';
import { EXIT } from '@dist-crawl/core/errors';
import type { CommandContext } from '../setup/command-context.js';
import { loadLocalSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { createSiteChooser } from './choose-site.js';
import { showAnswer } from './show-answer.js';
import { visitAll } from './visit-all.js';

/** `crawl try`: visits the URLs and shows what each gave. */
export async function runTry(
  { terminal, signal, exitWith }: CommandContext,
  urls: readonly string[],
  options: OptionReader,
): Promise<void> {
  const asked = options.text('site');
  const { config, sites } = loadLocalSetup({
    sites: asked === undefined ? undefined : [asked],
    problems: options.problems,
  });
  const choose = createSiteChooser({ sites, asked: asked !== undefined });
  let first = true;
  await visitAll(urls.map(choose), {
    contact: config.crawlerContact,
    env: siteEnv(config.home),
    signal,
    onAnswer: (answer) => {
      if (answer.outcome !== 'ok') exitWith(EXIT.failure);
      if (options.is('json')) return terminal.print(JSON.stringify(answer));
      for (const line of [...(first ? [] : ['']), ...showAnswer(answer, terminal.columns)]) terminal.print(line);
      first = false;
    },
  });
}
