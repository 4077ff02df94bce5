import { accessSync, constants, statSync } from 'node:fs';
import { type LocalConfig, resolveUserPath } from '@dist-crawl/core/config';
import { ConfigError, type ConfigProblem } from '@dist-crawl/core/errors';
import type { Site } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { chooseSites } from './choose-sites.js';
import { combinationProblems, type ProducerFlags, readProducerFlags } from './flags.js';
import type { PageRange } from './page-ranges.js';
import { type Shard, WHOLE } from './shard.js';
import type { LISTED } from './sitemap-url.js';

/** What is to be queued. */
type Origin =
  | { readonly kind: 'pages'; readonly ranges: readonly PageRange[] }
  | { readonly kind: 'list'; readonly path: string }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'entries' }
  /** `listed`: the sitemaps that the site names. */
  | { readonly kind: 'sitemap'; readonly start: CanonicalUrl | typeof LISTED };

/** What the user asks for. */
export interface Order {
  /** Each is queued for by itself; a URL of a list goes to the first of them that has it in scope. */
  readonly sites: readonly Site[];
  readonly origin: Origin;
  readonly shard: Shard;
  readonly fresh: boolean;
  readonly skipArchived: boolean;
  /** Pages in a row beyond the end of a range after which it ends; undefined: it goes to its last page. */
  readonly untilEmpty: number | undefined;
  /** Cron expression of a resident producer. */
  readonly every: string | undefined;
}

export interface Settings<C> {
  readonly config: C;
  readonly order: Order;
}

/** Whether a dry run is asked for. Flags that are wrong are told by {@link readSettings}. */
export function wantsDryRun(argv?: readonly string[]): boolean {
  try {
    return readProducerFlags(argv).values.dryRun;
  } catch {
    return false;
  }
}

/**
 * Flags, settings and site files.
 *
 * @param load - reads the settings; what it finds wrong is told together with the flags and site files
 * @throws ConfigError with all problems; HelpRequested
 */
export function readSettings<C extends LocalConfig<'producer'>>(load: () => C, argv?: readonly string[]): Settings<C> {
  const flags = readProducerFlags(argv);
  const { values } = flags;
  const problems: ConfigProblem[] = [...flags.problems, ...combinationProblems(flags)];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const config = attempt(load);
  const { pages: ranges, sites: names, sitemap } = values;
  const needs = ranges !== undefined ? 'pages' : values.entries ? 'entries' : 'nothing';
  const loaded = config && attempt(() => chooseSites({ dir: config.sitesDir, names, needs }));
  const origin = attempt(() => readOrigin(values));
  if (origin?.kind === 'stdin' && (loaded?.length ?? 1) > 1) {
    problems.push({ where: '--urls -', what: 'stdin can be read once only', expected: 'one site, or a file' });
  }
  if (sitemap !== undefined && sitemap !== 'listed' && (loaded?.length ?? 1) > 1) {
    problems.push({ where: '--sitemap', what: 'a URL is given, and several sites', expected: 'one site, or no URL' });
  }
  if (config === undefined || loaded === undefined || origin === undefined || problems.length > 0) {
    throw new ConfigError(problems);
  }
  const { shard = WHOLE, skipArchived, every, untilEmpty } = values;
  // Entry pages are asked for again to see what is new on them.
  const fresh = values.fresh || values.entries;
  const sites = loaded.map(({ site }) => site);
  return { config, order: { sites, origin, shard, fresh, skipArchived, untilEmpty, every } };
}

/** Undefined where none is asked for: that problem has been told then. */
function readOrigin({ pages: ranges, urls, entries, sitemap }: ProducerFlags['values']): Origin | undefined {
  if (ranges !== undefined) return { kind: 'pages', ranges };
  if (entries) return { kind: 'entries' };
  if (sitemap !== undefined) return { kind: 'sitemap', start: sitemap };
  return urls === undefined ? undefined : readListOrigin(urls);
}

function readListOrigin(urls: string): Origin {
  if (urls === '-') return { kind: 'stdin' };
  const path = resolveUserPath(urls);
  const problem = (what: string): ConfigError =>
    new ConfigError([
      { where: '--urls', what: `${path} ${what}`, expected: 'a file with one URL a line, or - for stdin' },
    ]);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) throw problem('does not exist');
  if (status.isDirectory()) throw problem('is a folder');
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw problem('cannot be read');
  }
  return { kind: 'list', path };
}
