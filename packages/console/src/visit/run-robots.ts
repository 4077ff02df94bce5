import { EXIT } from '@dist-crawl/core/errors';
import { compileSite, createVisitor } from '@dist-crawl/page';
import type { CommandContext } from '../setup/command-context.js';
import type { OptionReader } from '../setup/option-values.js';
import { entry } from '../terminal/columns.js';
import { chooseOne, loadPagesSetup } from './pages-setup.js';
import { showRobots } from './show-answer.js';

const LABEL_WIDTH = 12;

/** `crawl robots`: the verdict, the rule, and where the sitemaps are. */
export async function runRobots(
  { terminal, signal, exitWith }: CommandContext,
  given: string,
  options: OptionReader,
): Promise<void> {
  const setup = loadPagesSetup(options);
  const chosen = chooseOne(setup, given);
  const visitor = createVisitor({
    site: await compileSite(chosen.loaded),
    contact: setup.config.crawlerContact,
    env: setup.env,
  });
  try {
    const verdict = await visitor.robots.check(chosen.url, signal);
    const sitemaps = await visitor.robots.sitemaps(new URL(chosen.url).origin, signal);
    const allowed = 'unreachable' in verdict ? false : verdict.allowed;
    if (!allowed) exitWith(EXIT.failure);
    if (options.is('json')) return terminal.print(JSON.stringify({ url: given, ...verdict, allowed, sitemaps }));
    const line = (label: string, text: string): void => {
      const lines = entry(`  ${label}`, text, { labelWidth: LABEL_WIDTH, width: terminal.columns });
      for (const each of lines) terminal.print(each);
    };
    terminal.print(chosen.url);
    if ('unreachable' in verdict) line('robots', `nothing may be fetched now: ${verdict.message}`);
    else line('robots', showRobots({ ...verdict, rule: verdict.rule ?? null, line: verdict.line ?? null }));
    if (!('unreachable' in verdict) && verdict.agent !== undefined) line('agent', verdict.agent);
    for (const sitemap of sitemaps) line('sitemap', sitemap);
  } finally {
    await visitor.close();
  }
}
