import { siteEnv } from '@dist-crawl/core/config';
import { ConfigError, EXIT } from '@dist-crawl/core/errors';
import { compileSite, createVisitor } from '@dist-crawl/page';
import type { CommandContext } from '../setup/command-context.js';
import { loadLocalSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { entry } from '../terminal/columns.js';
import { createSiteChooser } from './choose-site.js';
import { showRobots } from './show-answer.js';

const LABEL_WIDTH = 12;

/** `crawl robots`: the verdict, the rule, and where the sitemaps are. */
export async function runRobots(
  { terminal, signal, exitWith }: CommandContext,
  given: string,
  options: OptionReader,
): Promise<void> {
  const asked = options.text('site');
  const { config, sites } = loadLocalSetup({
    sites: asked === undefined ? undefined : [asked],
    problems: options.problems,
  });
  const chosen = createSiteChooser({ sites, asked: asked !== undefined })(given);
  if ('problem' in chosen) {
    throw new ConfigError([{ where: given, what: 'not a URL to crawl', expected: 'an http or https URL' }]);
  }
  const visitor = createVisitor({
    site: await compileSite(chosen.loaded),
    contact: config.crawlerContact,
    env: siteEnv(config.home),
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
