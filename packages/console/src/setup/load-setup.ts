import { relative } from 'node:path';
import { type Config, loadConfig, loadLocalConfig, type LocalConfig, resolveUserPath } from '@dist-crawl/core/config';
import { ConfigError, type ConfigProblem } from '@dist-crawl/core/errors';
import { findSites, type FoundSites, type LoadedSite } from '@dist-crawl/core/sites';

export interface SetupRequest {
  /** Of the flags: told together with those of settings and site files. */
  readonly problems: readonly ConfigProblem[];
  /** Names or paths of site files; undefined: every site in `SITES_DIR`. */
  readonly sites: readonly string[] | undefined;
}

export interface LocalSetup {
  readonly config: LocalConfig<'console'>;
  readonly sites: readonly LoadedSite[];
}

export interface Setup {
  readonly config: Config<'console'>;
  readonly sites: readonly LoadedSite[];
}

/** Of a command that can do without some of the sites. */
export interface PartialSetup extends Setup {
  /** What is wrong with site files; their sites are left out. */
  readonly siteProblems: readonly ConfigProblem[];
}

/** Settings and sites for a command that needs Redis or MySQL. @throws ConfigError with every problem of all of them. */
export function loadSetup(request: SetupRequest): Setup {
  const { config, sites } = loadPartialSetup(request, 'all sites');
  return { config, sites };
}

/**
 * As {@link loadSetup}, but where all sites are asked for, one whose file is wrong is left out.
 * @param wanted - `all sites`: what is wrong with any of them is a problem of the whole
 */
export function loadPartialSetup(
  { problems, sites }: SetupRequest,
  wanted: 'all sites' | 'some sites' = sites === undefined ? 'some sites' : 'all sites',
): PartialSetup {
  const gathered = new Problems(problems);
  const local = gathered.attempt(() => loadLocalConfig('console'));
  const config = local && gathered.attempt(() => loadConfig('console'));
  const found = local && findNamed(local.sitesDir, sites);
  if (wanted === 'all sites' || found?.sites.length === 0) gathered.add(found?.problems ?? []);
  gathered.throwAny();
  if (config === undefined || found === undefined) throw new Error('settings without problems have values');
  return { config, sites: found.sites, siteProblems: found.problems };
}

/** As {@link loadSetup}, without the addresses of servers. */
export function loadLocalSetup({ problems, sites }: SetupRequest): LocalSetup {
  const gathered = new Problems(problems);
  const config = gathered.attempt(() => loadLocalConfig('console'));
  const found = config && findNamed(config.sitesDir, sites);
  gathered.add(found?.problems ?? []);
  gathered.throwAny();
  if (config === undefined || found === undefined) throw new Error('settings without problems have values');
  return { config, sites: found.sites };
}

/** A path is meant from where the user stood, and shown as briefly as it can be. */
function findNamed(sitesDir: string, names: readonly string[] | undefined): FoundSites {
  const folder = shorter(sitesDir);
  return names === undefined ? findSites(folder) : findSites(folder, names.map(userPath));
}

function userPath(name: string): string {
  const isPath = name.includes('/') || /\.ya?ml$/u.test(name);
  if (!isPath) return name;
  const path = shorter(resolveUserPath(name));
  // A bare file name would be taken for the name of a site.
  return path.includes('/') || /\.ya?ml$/u.test(path) ? path : `./${path}`;
}

function shorter(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere !== '' && !fromHere.startsWith('..') ? fromHere : path;
}

class Problems {
  readonly #all: ConfigProblem[];

  constructor(first: readonly ConfigProblem[]) {
    this.#all = [...first];
  }

  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#all.push(...error.problems);
      return undefined;
    }
  }

  add(problems: readonly ConfigProblem[]): void {
    this.#all.push(...problems);
  }

  throwAny(): void {
    if (this.#all.length > 0) throw new ConfigError(this.#all);
  }
}
