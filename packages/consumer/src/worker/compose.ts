import { openFrontier } from '@dist-crawl/core/frontier';
import { createLogger } from '@dist-crawl/core/logging';
import { createSharedCache } from '@dist-crawl/core/redis';
import { Ticker, type DaemonContext, type Parts } from '@dist-crawl/core/runtime';
import { openStores } from '@dist-crawl/core/stores';
import { createVisitor, rulesHashOf } from '@dist-crawl/page';
import type { FromPrimary } from '../link/messages.js';
import { readSettings } from '../settings.js';
import { Crawl } from './crawl.js';
import { createCrawlDelays } from './crawl-delay.js';
import { createEarlierVisits } from './earlier-visits.js';
import { createFollowLinks } from './follow-links.js';
import { HeldTasks } from './held-tasks.js';
import { Identity } from './identity.js';
import { linkToPrimary } from './primary-link.js';
import { createProxyReports } from './proxy-reports.js';
import { RangePages } from './range-pages.js';
import { RedisClock } from './redis-clock.js';
import { SiteLoop } from './site-loop.js';
import { Slots } from './slots.js';
import { Tallies } from './tallies.js';
import { TaskRunner } from './task-runner.js';
import { Writer } from './writer.js';

const TALLY_EVERY_MS = 1_000;
const PROXIES_EVERY_MS = 2_000;

/** One worker: claims, fetches, extracts, saves. */
export async function composeWorker(context: DaemonContext): Promise<Parts> {
  const { config, sites, env } = await readSettings();
  const link = linkToPrimary();
  const logger = createLogger({
    name: 'consumer',
    level: config.logLevel,
    base: { node: config.nodeTag, pid: process.pid },
  });
  const stores = openStores({
    ...config,
    name: `worker:${config.nodeTag}`,
    poolSize: config.dbPoolSize,
    logger,
    migrated: true,
    quiet: true,
  });
  const held = new HeldTasks(link);
  const identity = new Identity();
  const tallies = new Tallies();
  const clock = new RedisClock();
  const slots = new Slots(config.concurrency);
  const stop = new AbortController();
  const frontiers = new Map(sites.map(({ site }) => [site.name, openFrontier(stores.redis, site)]));
  const onEnded = held.remove.bind(held);
  const writer = new Writer({
    database: stores.database,
    frontiers,
    logger,
    tallies,
    followLinks: createFollowLinks(logger),
    onEnded,
    capacity: 2 * config.concurrency,
  });

  const proxyReports: (() => Promise<void>)[] = [];
  const loops = new Map<string, SiteLoop>();
  const visitors = sites.map((compiled) => {
    const frontier = frontiers.get(compiled.site.name) ?? openFrontier(stores.redis, compiled.site);
    const visitor = createVisitor({
      site: compiled,
      env,
      robotsCache: createSharedCache(stores.redis, frontier.keys, 'robots'),
      ...(config.crawlerContact === undefined ? {} : { contact: config.crawlerContact }),
    });
    const rulesHash = rulesHashOf(compiled);
    const runner = new TaskRunner({
      frontier,
      visitor,
      ranges: new RangePages(frontier, compiled.site),
      rulesHash,
      crawlDelays: createCrawlDelays(frontier, logger),
      writer,
      link,
      tallies,
      clock,
      logger,
      node: config.nodeTag,
      taskDeadlineMs: config.taskDeadlineMs,
      held,
    });
    const site = compiled.site.name;
    const earlierVisits = createEarlierVisits({ database: stores.database, site: compiled.site, rulesHash, logger });
    loops.set(
      site,
      new SiteLoop({ frontier, identity, held, slots, writer, runner, earlierVisits, link, clock, logger }),
    );
    if (compiled.site.proxies !== undefined) proxyReports.push(createProxyReports(frontier, visitor));
    return visitor;
  });

  const receive = (message: FromPrimary): void => {
    switch (message.type) {
      case 'identity':
        held.abort('lost', ({ worker }) => worker !== message.worker);
        identity.set(message.worker);
        return;
      case 'ping':
        return link.send({ type: 'pong', ping: message.ping });
      case 'lost': {
        const lost = new Set(message.tokens);
        return held.abort('lost', ({ token }) => lost.has(token));
      }
      case 'wake':
        return loops.get(message.site)?.wake();
      case 'drain':
        return context.requestStop('the primary says so');
    }
  };
  link.listen(receive);

  const tell = (): void => {
    const waits = [...loops].flatMap(([site, { waits: reason }]) => (reason === undefined ? [] : [[site, reason]]));
    link.send({ type: 'tally', tally: tallies.take(), waits: Object.fromEntries(waits) as Record<string, string> });
  };
  return {
    logger,
    drainDeadlineMs: Math.max(0, config.drainDeadlineMs - 2_000),
    parts: [
      stores.part,
      {
        name: 'visitors',
        start: () => undefined,
        stop: async () => {
          await Promise.all(visitors.map((visitor) => visitor.close()));
        },
      },
      { name: 'link', start: () => link.send({ type: 'ready' }), stop: () => link.close() },
      { name: 'last tally', start: () => undefined, stop: tell },
      new Ticker('tally', {
        everyMs: TALLY_EVERY_MS,
        run: tell,
        onError: (error) => logger.error({ err: error }, 'tally'),
      }),
      new Ticker('proxies', {
        everyMs: PROXIES_EVERY_MS,
        run: async () => {
          for (const report of proxyReports) await report();
        },
        onError: (error) => logger.debug({ err: error }, 'figures of proxies wait for Redis'),
      }),
      writer,
      new Crawl([...loops.values()], held, stop),
    ],
  };
}
