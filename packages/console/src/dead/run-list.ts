import { wholeNumber } from '@dist-crawl/core/config';
import { countDead, listDead } from '@dist-crawl/core/db';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withStores } from '../setup/with-servers.js';
import { showDeadTotal, showDeadUrls } from './show-dead.js';

const DEFAULT_LIMIT = 20;
const LONGEST_PAGE = 500;

/** `crawl dead list`. */
export async function runList({ terminal, signal }: CommandContext, options: OptionReader): Promise<void> {
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
    if (total > 0 || kind === undefined) return;
    // Perhaps it was only written wrong.
    const others = new Set<string>();
    for (const { site } of sites) {
      const counts = await countDead(database, { site: site.name }, { signal });
      for (const name of Object.keys(counts.byKind)) others.add(name);
    }
    if (others.size > 0) terminal.print(`There are of other kinds: ${[...others].toSorted().join(', ')}.`);
  });
}
