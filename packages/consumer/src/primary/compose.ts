import { isFinished, createNodeWatch, openFrontier, type Frontier } from '@dist-crawl/core/frontier';
import { createLogger, type Logger } from '@dist-crawl/core/logging';
import { HealthServer, Ticker, type DaemonContext, type Parts } from '@dist-crawl/core/runtime';
import { openStores } from '@dist-crawl/core/stores';
import { WorkerIds } from '../link/worker-identity.js';
import { readSettings } from '../settings.js';
import { checkConnectionBudget } from './connection-budget.js';
import { KEEP_EVERY_MS, keepLeases } from './lease-keeper.js';
import { QueueBell } from './queue-bell.js';
import { createStillnessWatch } from './stillness.js';
import { RedisMemory } from './redis-memory.js';
import { REPORT_EVERY_MS, TallyReport } from './tally-report.js';
import { createWatchdog } from './watchdog.js';
import { WorkerPool } from './worker-pool.js';

/** With 15 s of watching and 3 s between two signs of life: what a lost node held is back in less than 20 s. */
const LOOK_FOR_LOST_EVERY_MS = 2_000;

/** With `--until-done`: how often it is said what is still waited for. */
const TELL_WAIT_EVERY_MS = 15_000;

/** The primary of a node: no page is fetched here, so it always has time for the leases of its workers. */
export async function composePrimary(context: DaemonContext): Promise<Parts> {
  const { config, sites, untilDone } = await readSettings();
  const ids = new WorkerIds(config.nodeTag);
  const logger = createLogger({ name: 'consumer', level: config.logLevel, base: { node: ids.node } });
  const stores = openStores({ ...config, name: `consumer:${ids.node}`, poolSize: 1, logger });
  const frontiers: ReadonlyMap<string, Frontier> = new Map(
    sites.map(({ site }) => [site.name, openFrontier(stores.redis, site)]),
  );
  for (const { site } of sites) {
    if (site.robots === 'ignore')
      logger.warn({ site: site.name }, `${site.name}: robots.txt is ignored, as the site file says`);
  }
  const report = new TallyReport(logger);
  const bells = new Map<string, QueueBell>();
  const pool = new WorkerPool({
    size: config.processNum,
    ids,
    frontiers,
    logger,
    onIdle: (site) => bells.get(site)?.want(),
    onTally: (tally) => report.add(tally),
    onHopeless: (error) => context.fail(error),
  });
  for (const [site, frontier] of frontiers) {
    const ring = (): void => {
      for (const worker of pool.workers) worker.send({ type: 'wake', site });
    };
    bells.set(site, new QueueBell(frontier, stores, logger, ring));
  }
  const onError = (what: string) => (error: unknown) => logger.error({ err: error }, what);
  const watches = [...frontiers].map(([site, frontier]) => ({ site, watch: createNodeWatch(frontier.recovery) }));
  stores.redis.on('close', () => {
    for (const { watch } of watches) watch.reset();
  });
  const memory = new RedisMemory(logger);
  const stillness = createStillnessWatch(frontiers, () => pool.workers, logger);

  return {
    logger,
    drainDeadlineMs: config.drainDeadlineMs,
    parts: [
      new HealthServer({
        host: config.healthHost,
        port: config.healthPort,
        phase: context.phase,
        checks: {
          ...stores.checks,
          workers: () =>
            pool.workers.some(({ id }) => id !== undefined) ? 'ready' : { notReady: 'no worker is at work' },
        },
        logger,
      }),
      stores.part,
      {
        name: 'connection budget',
        start: (signal) => checkConnectionBudget(stores.database, [...frontiers.values()], config, logger, signal),
        stop: () => undefined,
      },
      ...bells.values(),
      new Ticker('leases', {
        everyMs: KEEP_EVERY_MS,
        run: () => keepLeases(pool, frontiers, logger),
        onError: onError('leases could not be renewed'),
      }),
      pool,
      new Ticker('watchdog', {
        everyMs: Math.min(2_000, config.watchdogSilenceMs / 4),
        run: createWatchdog(pool, config.watchdogSilenceMs, logger),
        onError: onError('watchdog'),
      }),
      new Ticker('recovery of lost nodes', {
        everyMs: LOOK_FOR_LOST_EVERY_MS,
        run: async () => {
          for (const { site, watch } of watches) {
            for (const { worker, tasks } of await watch.runOnce()) {
              const message = `worker ${worker} is lost: ${tasks} tasks are back in the queue`;
              logger[tasks > 0 ? 'warn' : 'info']({ site, worker, tasks }, message);
            }
          }
        },
        onError: onError('lost nodes could not be looked for'),
      }),
      new Ticker('report', {
        everyMs: REPORT_EVERY_MS,
        first: 'after a while',
        run: () => report.tell(),
        onError: onError('report'),
      }),
      new Ticker('stillness', { everyMs: 10_000, run: stillness, onError: onError('stillness') }),
      new Ticker('memory of Redis', {
        everyMs: 5_000,
        run: async () => {
          for (const [site, frontier] of frontiers) memory.look(site, await frontier.census());
        },
        onError: () => undefined, // Redis is away: asked again
      }),
      ...(untilDone ? [endOfRun(frontiers, memory, context, logger)] : []),
    ],
  };
}

/**
 * Ends the node when no producer round is under way and nothing is pending at any of its sites. A Redis that has forgotten
 * what is left is no end.
 */
function endOfRun(
  frontiers: ReadonlyMap<string, Frontier>,
  memory: RedisMemory,
  context: DaemonContext,
  logger: Logger,
): Ticker {
  let lastTold = performance.now();
  return new Ticker('end of the run', {
    everyMs: 500,
    run: async () => {
      for (const [site, frontier] of frontiers) {
        const census = await frontier.census();
        const emptied = memory.look(site, census) === 'emptied';
        if (!emptied && isFinished(census)) continue;
        const { waiting, inFlight, failed, rounds } = census;
        if (waiting + inFlight === 0 && performance.now() - lastTold > TELL_WAIT_EVERY_MS) {
          lastTold = performance.now();
          const what = failed > 0 ? `${failed} failed URLs wait for the retry-scheduler` : 'a producer is at work';
          logger.info({ site, failed, rounds }, `${site}: not done yet: ${what}`);
        }
        return;
      }
      context.requestStop('all is done');
    },
    onError: () => undefined, // Redis is away: asked again
  });
}
