import { createTask } from 'node-cron';
import type { Logger } from '@dist-crawl/core/logging';
import type { Part } from '@dist-crawl/core/runtime';

export interface ScheduleOptions {
  /** Local time of this machine. */
  readonly cron: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Carries out the order at each tick. A tick that finds the round before still under way is left out; a round that
 * fails is told, and the next tick tries again.
 */
export function createSchedule({ cron, run, logger }: ScheduleOptions): Part {
  let work: Promise<void> | undefined;
  let stopping: AbortSignal | undefined;
  const tick = (): void => {
    if (stopping === undefined || stopping.aborted) return;
    if (work !== undefined) {
      logger.warn('the round before is still under way: this tick is left out');
      return;
    }
    logger.info('round begins');
    work = run(stopping)
      .catch((error: unknown) => logger.error({ err: error }, 'the round failed; the next tick tries again'))
      .finally(() => {
        work = undefined;
        tellNext();
      });
  };
  // What the library has to say about ticks that came late goes to the log like all else.
  const task = createTask(cron, tick, { logger });
  const tellNext = (): void => {
    if (stopping?.aborted === false)
      logger.info(`next round at ${task.getNextRun()?.toISOString() ?? 'no time at all'}`);
  };
  return {
    name: 'schedule',
    async start(signal) {
      stopping = signal;
      await task.start();
      tellNext();
    },
    async stop() {
      await task.destroy();
      await work;
    },
  };
}
