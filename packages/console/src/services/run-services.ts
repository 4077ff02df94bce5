import { join } from 'node:path';
import { findHome } from '@dist-crawl/core/config';
import { EXIT } from '@dist-crawl/core/errors';
import { redactUrl } from '@dist-crawl/core/logging';
import { type ServicesStatus, servicesStatus, startServices, stopServices } from '@dist-crawl/testbed';
import type { CommandContext } from '../setup/command-context.js';
import { isServerProblem } from '../setup/server-problem.js';
import { entry } from '../terminal/columns.js';

const LABEL_WIDTH = 10;

/** `crawl services start`: starts what does not run. */
export async function runStart({ terminal, signal, exitWith }: CommandContext): Promise<void> {
  try {
    const before = await servicesStatus({ local: localFolder(), log: terminal.note, signal });
    if (before.redis.running && before.mysql.running) terminal.print('Both run already; nothing was started.');
    const status = await startServices({ local: localFolder(), log: terminal.note, signal });
    for (const line of showServices(status, terminal.columns)) terminal.print(line);
    terminal.print('');
    terminal.print('Daemons and commands without REDIS_URL and DATABASE_URL use them from now on.');
  } catch (error) {
    if (!isServerProblem(error)) throw error;
    terminal.note(error.message);
    exitWith(EXIT.failure);
  }
}

/** `crawl services stop`: the data are kept. */
export async function runStop({ terminal, signal }: CommandContext): Promise<void> {
  const ran = await stopServices({ local: localFolder(), log: terminal.note, signal });
  terminal.print(ran ? 'Redis and MySQL are stopped; their data are kept.' : 'Neither ran.');
}

/** `crawl services status`. */
export async function runServicesStatus(
  { terminal, signal, exitWith }: CommandContext,
  { json }: { json: boolean },
): Promise<void> {
  const status = await servicesStatus({ local: localFolder(), log: terminal.note, signal });
  if (!status.redis.running || !status.mysql.running) exitWith(EXIT.failure);
  if (json) terminal.print(JSON.stringify(status));
  else for (const line of showServices(status, terminal.columns)) terminal.print(line);
}

/** Where daemons look for the private servers: `.local` of the project's root. */
function localFolder(): string {
  return join(findHome(), '.local');
}

/** Without passwords: those are in the file that is named, readable by its owner alone. */
function showServices({ redis, mysql, file, startedAt }: ServicesStatus, width: number): string[] {
  const line = (label: string, text: string): string[] => entry(label, text, { labelWidth: LABEL_WIDTH, width });
  return [
    ...line('Redis', showState(redis)),
    ...line('MySQL', showState(mysql)),
    ...(startedAt === null ? [] : [...line('since', startedAt), ...line('in', file)]),
  ];
}

function showState({ running, url, pid }: ServicesStatus['redis']): string {
  if (!running) return url === null ? 'was never started' : 'stopped';
  return `${redactUrl(url ?? '')}${pid === null ? '' : `, process ${pid}`}`;
}
