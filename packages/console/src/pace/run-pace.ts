import { type ValueKind, wholeNumber } from '@dist-crawl/core/config';
import { openFrontier, paceNow } from '@dist-crawl/core/frontier';
import { rateSchema } from '@dist-crawl/core/sites';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import type { OptionReader } from '../setup/option-values.js';
import { withRedis } from '../setup/with-servers.js';
import { showPace } from './show-pace.js';

const rate: ValueKind<number | null> = {
  expected: 'such as 5/s, 30/m or 600/h (at most 10000/s), or none for no limit',
  schema: rateSchema,
};

/** `crawl pace`: workers see a new pace with their next claim, so within a second. */
export async function runPace(
  { terminal, signal }: CommandContext,
  name: string,
  options: OptionReader,
): Promise<void> {
  const given = {
    ratePerSecond: options.value('rate', rate),
    concurrency: options.value('concurrency', wholeNumber(1, 100_000)),
  };
  const reset = options.is('reset');
  const changes = given.ratePerSecond !== undefined || given.concurrency !== undefined;
  if (reset && changes)
    options.problem('reset', 'goes with no other flag', '--reset alone, or --rate and --concurrency');
  const { config, sites } = loadSetup({ sites: [name], problems: options.problems });
  await withRedis({ config, signal }, async (redis) => {
    for (const { site } of sites) {
      const frontier = openFrontier(redis, site);
      if (reset) await frontier.operator.resetPace();
      if (changes) await frontier.operator.setPace(given);
      terminal.print(`${site.name}: ${showPace(paceNow(site.pace, (await frontier.census()).pace))}`);
    }
  });
}
