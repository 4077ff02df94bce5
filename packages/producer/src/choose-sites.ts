import { resolveUserPath } from '@dist-crawl/core/config';
import { ConfigError } from '@dist-crawl/core/errors';
import { loadSites, type LoadedSite } from '@dist-crawl/core/sites';

export interface Wish {
  readonly dir: string;
  /** What `--site` names, or paths of site files as the user sees them; absent: the only site that comes into question. */
  readonly names: readonly string[] | undefined;
  /** What of a site file the order rests on. */
  readonly needs: 'pages' | 'entries' | 'nothing';
}

/**
 * The sites to queue for. Where several come into question, one has to be named: the user may not have all of them in
 * mind, and some sites are other people's.
 *
 * @throws ConfigError
 */
export function chooseSites({ dir, names, needs }: Wish): readonly LoadedSite[] {
  const wanted = names === undefined ? undefined : [...new Set(names.map(asSeenByUser))];
  const loaded = loadSites(dir, wanted);
  if (wanted === undefined) return [theOnly(loaded, dir, needs)];
  const problems = loaded.filter((site) => !has(site, needs)).map((site) => lacking(site, needs));
  if (problems.length > 0) throw new ConfigError(problems);
  return loaded;
}

function theOnly(loaded: readonly LoadedSite[], dir: string, needs: Wish['needs']): LoadedSite {
  const [alone] = loaded;
  if (loaded.length === 1 && alone !== undefined && !has(alone, needs)) throw new ConfigError([lacking(alone, needs)]);
  const fit = loaded.filter((site) => has(site, needs));
  const [first] = fit;
  if (fit.length === 1 && first !== undefined) return first;
  const listed = (fit.length > 0 ? fit : loaded).map(({ site }) => site.name).join(', ');
  throw new ConfigError([
    fit.length > 0
      ? { where: '--site', what: `not given, and ${dir} has ${fit.length} sites`, expected: `one or more of ${listed}` }
      : {
          where: `--${needs}`,
          what: `no site in ${dir} has \`${needs}\` (${listed})`,
          expected: 'a site that has, or --urls',
        },
  ]);
}

function has({ site }: LoadedSite, needs: Wish['needs']): boolean {
  switch (needs) {
    case 'pages':
      return site.pages !== undefined;
    case 'entries':
      return site.entries.length > 0;
    case 'nothing':
      return true;
  }
}

const EXAMPLE = { pages: 'pages: /list?page={page}', entries: 'entries: [/]', nothing: '' };

function lacking({ problem, site }: LoadedSite, needs: Wish['needs']) {
  return problem([], `${site.name} has no \`${needs}\``, `a line such as ${EXAMPLE[needs]}, or --urls`);
}

/** A package's script does not run where the user stood: a path of a file has to be told from there. */
function asSeenByUser(name: string): string {
  return name.includes('/') || /\.ya?ml$/u.test(name) ? resolveUserPath(name) : name;
}
