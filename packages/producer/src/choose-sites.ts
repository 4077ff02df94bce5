import { resolveUserPath } from '@dist-crawl/core/config';
import { ConfigError } from '@dist-crawl/core/errors';
import { loadSites, type LoadedSite } from '@dist-crawl/core/sites';

export interface Wish {
  readonly dir: string;
  /** What `--site` names, or paths of site files as the user sees them; absent: the only site that comes into question. */
  readonly names: readonly string[] | undefined;
  /** Whether list pages are to be queued, which only a site with `pages` has. */
  readonly byPages: boolean;
}

/**
 * The sites to queue for. Where several come into question, one has to be named: the user may not have all of them in
 * mind, and some sites are other people's.
 *
 * @throws ConfigError
 */
export function chooseSites({ dir, names, byPages }: Wish): readonly LoadedSite[] {
  const wanted = names === undefined ? undefined : [...new Set(names.map(asSeenByUser))];
  const loaded = loadSites(dir, wanted);
  if (wanted === undefined) return [theOnly(loaded, dir, byPages)];
  const problems = loaded.filter(({ site }) => byPages && site.pages === undefined).map(withoutPages);
  if (problems.length > 0) throw new ConfigError(problems);
  return loaded;
}

function theOnly(loaded: readonly LoadedSite[], dir: string, byPages: boolean): LoadedSite {
  const [alone] = loaded;
  if (loaded.length === 1 && alone !== undefined && byPages && alone.site.pages === undefined) {
    throw new ConfigError([withoutPages(alone)]);
  }
  const fit = loaded.filter(({ site }) => !byPages || site.pages !== undefined);
  const [first] = fit;
  if (fit.length === 1 && first !== undefined) return first;
  const listed = (fit.length > 0 ? fit : loaded).map(({ site }) => site.name).join(', ');
  throw new ConfigError([
    fit.length > 0
      ? { where: '--site', what: `not given, and ${dir} has ${fit.length} sites`, expected: `one or more of ${listed}` }
      : {
          where: '--pages',
          what: `no site in ${dir} has \`pages\` (${listed})`,
          expected: 'a site that has, or --urls',
        },
  ]);
}

function withoutPages({ problem, site }: LoadedSite) {
  return problem([], `${site.name} has no \`pages\``, 'a line such as pages: /list?page={page}, or --urls');
}

/** A package's script does not run where the user stood: a path of a file has to be told from there. */
function asSeenByUser(name: string): string {
  return name.includes('/') || /\.ya?ml$/u.test(name) ? resolveUserPath(name) : name;
}
