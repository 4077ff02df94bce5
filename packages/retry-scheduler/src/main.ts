import { openFrontier } from '@dist-crawl/core/frontier';
import { createLogger } from '@dist-crawl/core/logging';
import { HealthServer, runDaemon, type Part } from '@dist-crawl/core/runtime';
import { openStores } from '@dist-crawl/core/stores';
import { createArchiveJob } from './jobs/archive-job.js';
import { createRecoverJob } from './jobs/recover-job.js';
import { createRetryJob } from './jobs/retry-job.js';
import { ONCE_PATIENCE_MS, OncePart, recoverOnce, runJobsOnce } from './once-part.js';
import { CronPart } from './schedule/cron-part.js';
import { createJobRunner } from './schedule/job-runner.js';
import { createRecoverPart } from './schedule/recover-part.js';
import { createSignPart } from './schedule/sign-part.js';
import { readSettings } from './settings.js';

/** MySQL connections: one for each cron job, as each does one thing at a time. */
const POOL_SIZE = 2;

await runDaemon({
  compose: (context) => {
    const { config, sites, once } = readSettings();
    const logger = createLogger({
      name: 'retry-scheduler',
      level: config.logLevel,
      base: { node: config.nodeTag },
      destination: once === undefined ? 'stdout' : 'stderr',
    });

    const stores = openStores({
      ...config,
      name: `retry-scheduler:${config.nodeTag}`,
      poolSize: POOL_SIZE,
      logger,
      ...(once === undefined ? {} : { deadlineMs: ONCE_PATIENCE_MS }),
    });
    const { redis, database } = stores;
    const frontiers = sites.map((site) => openFrontier(redis, site));
    const { maxFailures, archiveAfterDays } = config;
    const retryJobs = frontiers.map((frontier) => createRetryJob({ frontier, database, maxFailures, logger }));
    const archiveJobs = frontiers.map((frontier) =>
      createArchiveJob({ frontier, database, afterDays: archiveAfterDays, logger }),
    );
    const recoverJobs = frontiers.map((frontier) => createRecoverJob({ frontier, logger }));
    redis.on('ready', () => {
      for (const job of recoverJobs) job.reset();
    });
    const runner = createJobRunner({ redis, logger });

    const daemon = (): Part[] => [
      new HealthServer({
        host: config.healthHost,
        port: config.healthPort,
        phase: () => context.phase(),
        checks: stores.checks,
        logger,
      }),
      stores.part,
      createSignPart({ frontiers, sign: { node: config.nodeTag, retryCron: config.retryCron }, logger }),
      createRecoverPart({ jobs: recoverJobs, everyMs: config.recoverEveryMs, logger }),
      new CronPart('retry', { jobs: retryJobs, cron: config.retryCron, runner, logger }),
      new CronPart('archive', { jobs: archiveJobs, cron: config.archiveCron, runner, logger }),
    ];
    const oneRun = (run: (signal: AbortSignal) => Promise<readonly string[]>): Part[] => [
      stores.part,
      new OncePart({
        run,
        write: (text) => process.stdout.write(text),
        onDone: () => context.requestStop('done'),
      }),
    ];
    const parts = (): Part[] => {
      switch (once) {
        case undefined:
          return daemon();
        case 'retry':
          return oneRun((signal) => runJobsOnce(retryJobs, runner, config.retryCron, signal));
        case 'archive':
          return oneRun((signal) => runJobsOnce(archiveJobs, runner, config.archiveCron, signal));
        case 'recover':
          return oneRun((signal) => recoverOnce(recoverJobs, signal));
      }
    };
    return { logger, parts: parts(), drainDeadlineMs: config.drainDeadlineMs };
  },
});
