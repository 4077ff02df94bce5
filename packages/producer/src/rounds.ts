import { randomBytes } from 'node:crypto';
import { siteEnv, type Config } from '@dist-crawl/core/config';
import { openFrontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { createSharedCache } from '@dist-crawl/core/redis';
import type { Site } from '@dist-crawl/core/sites';
import type { Connections } from './connections.js';
import { sharedPace } from './manners.js';
import type { Progress } from './progress.js';
import { runRound } from './round.js';
import type { Order } from './settings.js';
import { createSift } from './sift.js';
import { openSource } from './sources/open-source.js';
import { Tally } from './tally.js';

export interface RoundsOptions {
  readonly config: Pick<Config<'producer'>, 'nodeTag' | 'enqueueBatch' | 'queueHighWater' | 'crawlerContact' | 'home'>;
  readonly order: Order;
  readonly connections: Connections;
  readonly progress: Progress;
  readonly logger: Logger;
}

/**
 * Makes what carries out an order once: a round for each site, side by side, so that one whose queue is full keeps no
 * other waiting. It throws the first error when all have ended; being stopped is none.
 */
export function createRounds(options: RoundsOptions): (signal: AbortSignal) => Promise<void> {
  const { order } = options;
  return async (signal) => {
    const ended = await Promise.allSettled(order.sites.map((site) => roundOf(site, options, signal)));
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
}

async function roundOf(site: Site, options: RoundsOptions, signal: AbortSignal): Promise<void> {
  const { config, order, connections, progress } = options;
  const logger = options.logger.child({ site: site.name });
  const frontier = openFrontier(connections.redis, site);
  const source = openSource(site, order, {
    place: sharedPace(frontier.reserve, logger),
    robotsCache: createSharedCache(connections.redis, frontier.keys, 'robots'),
    contact: config.crawlerContact,
    env: siteEnv(config.home),
    logger,
  });
  const tally = new Tally();
  const stopWatching = progress.watch(site.name, source.total, tally);
  const begun = performance.now();
  logger.debug(`round over ${source.name}`);
  const end = await runRound({
    intake: frontier.intake,
    archived: order.skipArchived ? connections.archiveOf(site.name) : undefined,
    source,
    sift: createSift(site, order.sites),
    round: `${config.nodeTag}:${process.pid}:${randomBytes(6).toString('hex')}`,
    batchSize: config.enqueueBatch,
    highWater: config.queueHighWater,
    fresh: order.fresh,
    untilEmpty: order.untilEmpty === undefined ? undefined : { inARow: order.untilEmpty, ranges: frontier.ranges },
    tally,
    signal,
    logger,
  }).finally(stopWatching);
  const figures = { ...tally.figures(), seconds: Math.round((performance.now() - begun) / 100) / 10 };
  for (const line of tally.refusals()) logger.warn(line);
  switch (end) {
    case 'finished':
      logger.info(figures, `${site.name}, ${source.name}: ${tally.summary()}`);
      if (tally.dead > 0)
        logger.warn(
          { site: site.name, dead: tally.dead },
          `${tally.dead} of them were given up before and are not queued: \`crawl dead list\` tells why, \`crawl dead redrive\` queues them`,
        );
      return;
    case 'stopped': {
      const of = source.total === undefined ? '' : ` of ${source.total}`;
      const reached = tally.reached === undefined ? '' : ` (the last: ${tally.reached})`;
      const far = `stopped after ${tally.dealt}${of}${reached}`;
      logger.info(
        figures,
        `${site.name}, ${source.name}: ${far}: ${tally.summary()}; the same command goes on from there`,
      );
    }
  }
}
