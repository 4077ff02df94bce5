import { redactUrl } from '@dist-crawl/core/logging';
import { type ServicesStatus, servicesStatus, startServices, stopServices } from '@dist-crawl/testbed';
import { EXIT } from '@dist-crawl/core/errors';
import { Command } from 'commander';
import type { CommandContext } from '../setup/command-context.js';
import { isServerProblem } from '../setup/server-problem.js';
import { entry } from '../terminal/columns.js';

const LABEL_WIDTH = 10;

export function servicesCommand(context: CommandContext): Command {
  const { terminal, signal, exitWith } = context;
  const log = terminal.note;
  const start = async (): Promise<ServicesStatus | undefined> => {
    try {
      return await startServices({ log, signal });
    } catch (error) {
      if (!isServerProblem(error)) throw error;
      terminal.note(error.message);
      exitWith(EXIT.failure);
      return undefined;
    }
  };
  const services = new Command('services').description(
    'private Redis and MySQL in the background, for work without Docker',
  );
  services
    .command('start')
    .description('start what does not run; daemons without REDIS_URL and DATABASE_URL use them')
    .action(async () => {
      const status = await start();
      if (status === undefined) return;
      for (const line of show(status, terminal.columns)) terminal.print(line);
      terminal.print('');
      terminal.print('Daemons and commands without REDIS_URL and DATABASE_URL use them from now on.');
    });
  services
    .command('stop')
    .description('stop both; their data are kept')
    .action(async () => {
      const ran = await stopServices({ log, signal });
      terminal.print(ran ? 'Redis and MySQL are stopped; their data are kept.' : 'Neither ran.');
    });
  services
    .command('status')
    .description('whether they run, and where (exit code 1 when one does not)')
    .option('--json', 'one JSON object; URLs hold the passwords')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await servicesStatus({ log, signal });
      if (!status.redis.running || !status.mysql.running) exitWith(EXIT.failure);
      if (json === true) return terminal.print(JSON.stringify(status));
      for (const line of show(status, terminal.columns)) terminal.print(line);
    });
  return services;
}

/** Without passwords: those are in the file that is named, readable by its owner alone. */
function show({ redis, mysql, file, startedAt }: ServicesStatus, width: number): string[] {
  const line = (label: string, text: string): string[] => entry(label, text, { labelWidth: LABEL_WIDTH, width });
  const state = ({ running, url, pid }: ServicesStatus['redis']): string => {
    if (!running) return url === null ? 'was never started' : 'stopped';
    return `${redactUrl(url ?? '')}${pid === null ? '' : `  (process ${pid})`}`;
  };
  return [
    ...line('Redis', state(redis)),
    ...line('MySQL', state(mysql)),
    ...(startedAt === null ? [] : [...line('since', startedAt), ...line('in', file)]),
  ];
}
