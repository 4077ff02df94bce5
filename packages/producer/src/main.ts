import { loadConfig, loadLocalConfig, siteEnv } from '@dist-crawl/core/config';
import { createLogger } from '@dist-crawl/core/logging';
import { type DaemonContext, HealthServer, type Parts, runCommand, runDaemon } from '@dist-crawl/core/runtime';
import { openConnections } from './connections.js';
import { dryRun } from './dry-run.js';
import { createOneShot } from './one-shot.js';
import { createBars, progressLines } from './progress.js';
import { createRounds } from './rounds.js';
import { createSchedule } from './schedule.js';
import { readSettings, wantsDryRun } from './settings.js';

/** How long a producer that ends after its round waits for Redis at start; one that stays waits for ever. */
const START_DEADLINE_MS = 30_000;

function compose(daemon: DaemonContext): Parts {
  const { config, order } = readSettings(() => loadConfig('producer'));
  const { drainDeadlineMs, logLevel: level, nodeTag, healthHost: host, healthPort: port } = config;
  const bars = process.stdout.isTTY ? createBars(process.stdout) : undefined;
  const logger = createLogger({
    name: 'producer',
    level,
    base: { node: nodeTag },
    ...(bars === undefined ? {} : { destination: bars, pretty: true }),
  });
  const { every: cron } = order;
  const connections = openConnections({
    ...config,
    withArchive: order.skipArchived,
    deadlineMs: cron === undefined ? START_DEADLINE_MS : undefined,
    logger,
  });
  const run = createRounds({ config, order, connections, progress: bars ?? progressLines(logger), logger });
  if (cron === undefined) {
    // No health server: what runs once on a machine of daemons must not need a port of its own.
    return { logger, drainDeadlineMs, parts: [connections.part, createOneShot(run, daemon)] };
  }
  if (!order.fresh && order.origin.kind === 'pages')
    logger.info('rounds queue what was never crawled; with --fresh they crawl it again');
  const health = new HealthServer({ host, port, phase: daemon.phase, checks: connections.checks, logger });
  return { logger, drainDeadlineMs, parts: [health, connections.part, createSchedule({ cron, run, logger })] };
}

async function printOnly(signal: AbortSignal): Promise<void> {
  const { config, order } = readSettings(() => loadLocalConfig('producer'));
  const logger = createLogger({ name: 'producer', level: config.logLevel, destination: 'stderr' });
  await dryRun({
    order,
    contact: config.crawlerContact,
    env: siteEnv(config.home),
    output: process.stdout,
    logger,
    signal,
  });
}

if (wantsDryRun()) await runCommand(printOnly);
else await runDaemon({ compose });
