import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from '../errors/index.js';
import { pageUrl } from './page-url.js';
import { entryUrl } from './entry-urls.js';
import { inScope } from './scope.js';
import { readSiteFile, type SiteFile } from './site-file.js';
import { describeIssues } from './site-problems.js';
import { siteSchema, type Site } from './site-schema.js';
import { closest } from './suggestion.js';

/** A site and the file it comes from, so that what is found wrong later can still be told by its line. */
export interface LoadedSite extends Pick<SiteFile, 'file' | 'locate' | 'problem'> {
  readonly site: Site;
}

/** Reads one site file. Throws ConfigError with every problem in it, each with file, line and column. */
export function loadSiteFile(path: string): LoadedSite {
  return checkSite(readSiteFile(path));
}

/**
 * The sites in `dir` (`*.yaml`, `*.yml`), or those of them that `names` asks for; a name with a slash or one of these
 * endings is the path of a file anywhere.
 * @throws ConfigError with the problems of all files asked for, also where a name is unknown, or two files in `dir`
 *   share a name or a namespace (their keys in Redis would be mixed)
 */
export function loadSites(dir: string, names?: readonly string[]): LoadedSite[] {
  const { sites, problems } = findSites(dir, names);
  if (problems.length > 0) throw new ConfigError(problems);
  return sites;
}

/** Sites that are as they should be, and what is wrong with the others. */
export interface FoundSites {
  readonly sites: LoadedSite[];
  readonly problems: readonly ConfigProblem[];
}

/** As {@link loadSites}, for a caller that finds further problems, or can do without some of the sites. */
export function findSites(dir: string, names?: readonly string[]): FoundSites {
  const problems: ConfigProblem[] = [];
  const attempt = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const paths = names?.filter(isPath) ?? [];
  const wanted = names === undefined ? undefined : new Set(names.filter((name) => !isPath(name)));
  const files: SiteFile[] = [];
  if (wanted === undefined || wanted.size > 0) {
    for (const path of attempt(() => listFiles(dir)) ?? []) {
      // without its name read, a broken file is taken for the site that it is called after
      if (wanted?.has(stem(path)) === false && !canBeRead(path)) continue;
      const file = attempt(() => readSiteFile(path));
      if (file) files.push(file);
    }
  }
  problems.push(...shared(files, 'name', rawName), ...shared(files, 'namespace', rawNamespace));
  const chosen = wanted === undefined ? files : files.filter((file) => wanted.delete(rawName(file) ?? stem(file.file)));
  const broken = problems.length > 0;
  for (const name of wanted ?? []) {
    if (broken) break;
    const meant = closest(
      name,
      files.map((file) => rawName(file) ?? ''),
    );
    const what = `no site is called ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
    problems.push({
      where: dir,
      what,
      expected: `one of ${files.map((file) => rawName(file)).join(', ')}, or a path of a file`,
    });
  }
  const loaded = chosen.map((file) => attempt(() => checkSite(file)));
  loaded.push(...paths.map((path) => attempt(() => loadSiteFile(path))));
  return { sites: loaded.filter((site) => site !== undefined), problems };
}

function checkSite(source: SiteFile): LoadedSite {
  const result = siteSchema.safeParse(source.raw, { reportInput: true });
  if (!result.success) {
    const found = describeIssues(result.error.issues, source.raw);
    const offset = ({ path, atKey }: (typeof found)[number]): number => {
      const { line, column } = source.locate(path, atKey);
      return line * 10_000 + column;
    };
    found.sort((a, b) => offset(a) - offset(b));
    throw new ConfigError(found.map(({ path, what, expected, atKey }) => source.problem(path, what, expected, atKey)));
  }
  const site = result.data;
  const first = site.pages === undefined ? undefined : pageUrl(site, 1);
  const pages = JSON.stringify(site.pages);
  if (first === null)
    throw new ConfigError([source.problem(['pages'], `${pages} gives no URL`, 'a URL or a path with {page}')]);
  if (first !== undefined && !inScope(site, first)) {
    throw new ConfigError([source.problem(['pages'], `${first} is not in the site's scope`, 'pages inside scope')]);
  }
  const entries = site.entries.flatMap((entry, index) => entryProblem(source, site, entry, index));
  if (entries.length > 0) throw new ConfigError(entries);
  return { site, file: source.file, locate: source.locate, problem: source.problem };
}

function entryProblem(source: SiteFile, site: Site, entry: string, index: number): ConfigProblem[] {
  const url = entryUrl(site, entry);
  if (url !== null && inScope(site, url)) return [];
  const what = url === null ? `${JSON.stringify(entry)} gives no URL` : `${url} is not in the site's scope`;
  return [source.problem(['entries', index], what, 'a page of the site, such as / or /category/tea')];
}

function listFiles(dir: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(dir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ where: dir, what: `can't be read: ${reason}`, expected: 'a directory with site files' }]);
  }
  const paths = entries.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  if (paths.length > 0) return paths.map((name) => join(dir, name));
  throw new ConfigError([{ where: dir, what: 'holds no site file', expected: 'at least one *.yaml' }]);
}

function shared(
  files: readonly SiteFile[],
  key: string,
  valueOf: (file: SiteFile) => string | undefined,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const first = new Map<string, SiteFile>();
  for (const file of files) {
    const value = valueOf(file);
    const other = value === undefined ? undefined : first.get(value);
    if (other)
      problems.push(file.problem([key], `${value} is also the ${key} of ${other.file}`, `a ${key} of its own`));
    else if (value !== undefined) first.set(value, file);
  }
  return problems;
}

function rawText(file: SiteFile, key: string): string | undefined {
  const value: unknown = typeof file.raw === 'object' && file.raw !== null ? Reflect.get(file.raw, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function rawName(file: SiteFile): string | undefined {
  return rawText(file, 'name');
}

function rawNamespace(file: SiteFile): string | undefined {
  const name = rawName(file);
  return rawText(file, 'namespace') ?? (name === undefined ? undefined : `dist:crawl:${name}`);
}

function canBeRead(path: string): boolean {
  try {
    readSiteFile(path);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

function isPath(name: string): boolean {
  return name.includes('/') || /\.ya?ml$/.test(name);
}

function stem(path: string): string {
  return path.replace(/^.*\//s, '').replace(/\.ya?ml$/, '');
}
