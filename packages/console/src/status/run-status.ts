import { addressOf, openDatabase } from '@dist-crawl/core/db';
import { redisAddress } from '@dist-crawl/core/redis';
import { repeat, sleep } from '@dist-crawl/core/runtime';
import type { CommandContext } from '../setup/command-context.js';
import { loadPartialSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withRedis } from '../setup/with-servers.js';
import { createObserver } from './look.js';
import { showSiteProblems, showStatus } from './show-status.js';
import type { SiteStatus } from './site-status.js';
import { cut } from '../terminal/columns.js';
import { createLiveBlock } from '../terminal/live.js';

/** Between the two looks from which a rate is measured. */
const MEASURE_MS = 1_000;
const WATCH_EVERY_MS = 2_000;

/** `crawl status`: one look, or one after the other. */
export async function runStatus({ terminal, signal }: CommandContext, options: OptionReader): Promise<void> {
  const { config, sites, siteProblems } = loadPartialSetup({
    sites: options.names('site'),
    problems: options.problems,
  });
  const json = options.is('json');
  const database = openDatabase({ url: config.database.url, poolSize: 1, applicationName: 'dist-crawl:crawl' });
  const live = createLiveBlock(terminal);
  const where = `Redis ${redisAddress(config.redis)}, MySQL ${addressOf(config.database.url)}`;
  const show = (found: readonly SiteStatus[], watching: boolean): void => {
    if (json) return terminal.print(JSON.stringify({ at: new Date().toISOString(), sites: found, siteProblems }));
    const broken = showSiteProblems(siteProblems, terminal.columns);
    const lines = [...showStatus(found, terminal.columns), '', ...broken, cut(where, terminal.columns)];
    if (watching && terminal.interactive) live.draw(lines.map((line) => cut(line, terminal.columns)));
    else for (const line of [...lines, ...(watching ? [''] : [])]) terminal.print(line);
  };
  try {
    await withRedis({ config, signal }, async (redis) => {
      const observer = createObserver(redis, database, sites);
      await observer.glance();
      await sleep(MEASURE_MS, signal);
      show(await observer.look(signal), options.is('watch'));
      if (!options.is('watch')) return;
      let failure: unknown;
      const stop = new AbortController();
      await repeat(
        {
          everyMs: WATCH_EVERY_MS,
          first: 'after a while',
          run: async () => show(await observer.look(signal), true),
          onError: (error) => {
            failure = error;
            stop.abort();
          },
        },
        AbortSignal.any([signal, stop.signal]),
      );
      if (failure !== undefined) throw failure;
    });
  } finally {
    await database.close();
  }
}
