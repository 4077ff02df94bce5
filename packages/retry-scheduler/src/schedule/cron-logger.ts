import type { Logger } from '@dist-crawl/core/logging';
import type { Logger as CronLogger } from 'node-cron';

/** What node-cron has to say (a tick that came too late, a run that still goes on) in our log instead of on the console. */
export function cronLogger(logger: Logger, who: string): CronLogger {
  const tell =
    (level: 'info' | 'warn' | 'error' | 'debug') =>
    (message: string | Error, error?: Error): void => {
      const cause = message instanceof Error ? message : error;
      const text = message instanceof Error ? message.message : message;
      logger[level](cause === undefined ? {} : { err: cause }, `${who}: ${text}`);
    };
  return { info: tell('info'), warn: tell('warn'), error: tell('error'), debug: tell('debug') };
}
