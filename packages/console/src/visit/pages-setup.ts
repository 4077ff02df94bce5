import { type Env, type LocalConfig, siteEnv } from '@dist-crawl/core/config';
import { ConfigError } from '@dist-crawl/core/errors';
import { loadLocalSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { type ChosenUrl, createSiteChooser, type RefusedUrl } from './choose-site.js';

/** What a command needs that looks at pages: no Redis, no MySQL. */
export interface PagesSetup {
  readonly config: LocalConfig<'console'>;
  /** What `${NAME}` in site files stands for. */
  readonly env: Env;
  /** Finds the site for a URL. */
  readonly choose: (given: string) => ChosenUrl | RefusedUrl;
}

/** @throws ConfigError with every problem of flags, settings and site files */
export function loadPagesSetup(options: OptionReader): PagesSetup {
  const asked = options.text('site');
  const { config, sites } = loadLocalSetup({
    sites: asked === undefined ? undefined : [asked],
    problems: options.problems,
  });
  return { config, env: siteEnv(config.home), choose: createSiteChooser({ sites, asked: asked !== undefined }) };
}

/** As `choose`, for a command with one URL. @throws ConfigError where it is none */
export function chooseOne({ choose }: PagesSetup, given: string): ChosenUrl {
  const chosen = choose(given);
  if ('problem' in chosen)
    throw new ConfigError([{ where: given, what: 'not a URL to crawl', expected: 'an http or https URL' }]);
  return chosen;
}
