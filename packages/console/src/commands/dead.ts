import { wholeNumber } from '@dist-crawl/core/config';
import { countDead, listDead } from '@dist-crawl/core/db';
import { inScope, type LoadedSite } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { ConfigError } from '@dist-crawl/core/errors';
import { Command } from 'commander';
import { addCounts, createRedrive, queueForm, type RedriveCounts } from '../dead/redrive.js';
import { showDeadTotal, showDeadUrls, showRedriven } from '../dead/show-dead.js';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import { collect, OptionReader, type RawOptions } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';

const DEFAULT_LIMIT = 20;
const LONGEST_PAGE = 500;

export function deadCommand(context: CommandContext): Command {
  const dead = new Command('dead').description('URLs that were given up: why, and another chance for them');
  dead
    .command('list')
    .description('dead URLs with their last error')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--kind <kind>', 'only those of one kind, such as http-404')
    .option('--limit <n>', `how many at most (default: ${DEFAULT_LIMIT})`)
    .option('--json', 'one JSON object a line')
    .action((raw: RawOptions) => list(context, new OptionReader(raw)));
  dead
    .command('redrive')
    .description('queue dead URLs again, with a clean record')
    .option('--site <names>', 'sites, with commas between (default: all)')
    .option('--kind <kind>', 'those of one kind, such as timeout')
    .option('--url <url>', 'this URL; may be given more than once', collect)
    .option('--all', 'all dead URLs')
    .action((raw: RawOptions) => redrive(context, new OptionReader(raw)));
  return dead;
}

async function list({ terminal, signal }: CommandContext, options: OptionReader): Promise<void> {
  const limit = options.value('limit', wholeNumber(1, 1_000_000)) ?? DEFAULT_LIMIT;
  const kind = options.text('kind');
  const { config, sites } = loadSetup({ sites: options.names('site'), problems: options.problems });
  await withStores({ config, signal }, async ({ database }) => {
    let shown = 0;
    let total = 0;
    const byKind: Record<string, number> = {};
    for (const { site } of sites) {
      const counts = await countDead(database, { site: site.name, kind }, { signal });
      total += counts.total;
      for (const [name, count] of Object.entries(counts.byKind)) byKind[name] = (byKind[name] ?? 0) + count;
      for (let after = 0; shown < limit;) {
        const wanted = Math.min(LONGEST_PAGE, limit - shown);
        const page = await listDead(database, { site: site.name, kind, limit: wanted, after }, { signal });
        const lines = options.is('json')
          ? page.map((each) => JSON.stringify(each))
          : showDeadUrls(page, terminal.columns);
        for (const line of lines) terminal.print(line);
        shown += page.length;
        after = page.at(-1)?.id ?? after;
        if (page.length < wanted) break;
      }
    }
    if (options.is('json')) return;
    if (shown > 0) terminal.print('');
    terminal.print(showDeadTotal(shown, total, byKind));
  });
}

async function redrive(context: CommandContext, options: OptionReader): Promise<void> {
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
