import { openFrontier } from '@dist-crawl/core/frontier';
import type { CommandContext } from '../setup/command-context.js';
import { loadSetup } from '../setup/load-setup.js';
import { withRedis } from '../setup/with-servers.js';

/** `crawl pause`. */
export async function runPause({ terminal, signal }: CommandContext, name: string, reason: string): Promise<void> {
  const { config, sites } = loadSetup({ sites: [name], problems: [] });
  await withRedis({ config, signal }, async (redis) => {
    for (const { site } of sites) {
      await openFrontier(redis, site).operator.hold(reason);
      terminal.print(
        `${site.name} is paused on all nodes; tasks in flight go on. To end it: crawl resume ${site.name}`,
      );
    }
  });
}

/** `crawl resume`. */
export async function runResume({ terminal, signal }: CommandContext, name: string): Promise<void> {
  const { config, sites } = loadSetup({ sites: [name], problems: [] });
  await withRedis({ config, signal }, async (redis) => {
    for (const { site } of sites) {
      const frontier = openFrontier(redis, site);
      const { pause } = await frontier.census();
      await frontier.operator.resume();
      terminal.print(pause.kind === 'none' ? `${site.name} was not paused.` : `${site.name} goes on.`);
    }
  });
}
