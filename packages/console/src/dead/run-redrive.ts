import { ConfigError } from '@dist-crawl/core/errors';
import { inScope, type LoadedSite } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';
import { addCounts, createRedrive, queueForm, type RedriveCounts } from './redrive.js';
import { showRedriven } from './show-dead.js';

/** `crawl dead redrive`. */
export async function runRedrive(context: CommandContext, options: OptionReader): Promise<void> {
  const { terminal, signal } = context;
  const urls = options.texts('url');
  const kind = options.text('kind');
  const ways = [urls.length > 0, options.is('all') || kind !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    const what = ways === 0 ? 'no URLs chosen' : '--url goes with neither --all nor --kind';
    options.problems.push({ where: 'dead redrive', what, expected: 'one of --url <url>, --kind <kind>, --all' });
  }
  const { config, sites } = loadSetup({ sites: options.names('site'), problems: options.problems });
  const chosen = urls.length > 0 ? urlsBySite(sites, urls) : undefined;
  await withStores({ config, signal }, async ({ redis, database }) => {
    let counts: RedriveCounts = { queued: 0, pending: 0, done: 0, notDead: 0 };
    for (const { site } of sites) {
      const work = createRedrive(redis, database, site, signal);
      const own = chosen?.get(site.name) ?? [];
      if (chosen !== undefined && own.length === 0) continue;
      counts = addCounts(counts, chosen === undefined ? await work.all(kind) : await work.these(own));
    }
    for (const line of showRedriven(counts)) terminal.print(line);
  });
}

/** Each URL goes to the first site whose scope has it. @throws ConfigError with every URL that belongs to none */
function urlsBySite(
  sites: readonly LoadedSite[],
  urls: readonly string[],
): ReadonlyMap<string, readonly CanonicalUrl[]> {
  const bySite = new Map<string, CanonicalUrl[]>();
  const problems = urls.flatMap((url) => {
    for (const { site } of sites) {
      const queued = queueForm(site, url);
      if (queued === null || !inScope(site, queued)) continue;
      bySite.set(site.name, [...(bySite.get(site.name) ?? []), queued]);
      return [];
    }
    const names = sites.map(({ site }) => site.name).join(', ');
    return [{ where: '--url', what: `${url} belongs to no site`, expected: `a URL in the scope of ${names}` }];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return bySite;
}
