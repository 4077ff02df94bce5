import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { type MySqlProgram, userArguments } from './mysql-program.js';
import { ServerStartError } from './private-server.js';
import { isAlive } from './process-table.js';
import { runCommand } from './run-command.js';

/**
 * Fills `data` with a fresh data directory: a copy of a template that is made once per server version and user (MariaDB
 * takes two seconds for that, MySQL ten; the copy a quarter of one). The template is made aside and renamed, so
 * that any number of processes may do this at once and a crash leaves no half of one.
 */
export async function copyTemplate(
  program: MySqlProgram,
  templates: string,
  data: string,
  signal?: AbortSignal,
): Promise<void> {
  const template = join(templates, `${program.flavour}-${program.version}-uid${process.getuid?.() ?? 0}`);
  if (!(await isFolder(template))) await makeTemplate(program, templates, template, signal);
  await cp(template, data, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // The identity of a MySQL server; each copy must get one of its own.
  await rm(join(data, 'auto.cnf'), { force: true });
}

async function makeTemplate(
  program: MySqlProgram,
  templates: string,
  template: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mkdir(templates, { recursive: true });
  await removeAbandoned(templates);
  const draft = join(templates, `draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await initialise(program, draft, signal);
    await rename(draft, template).catch(async (error: unknown) => {
      // Another process was quicker: its template is as good.
      if (!(await isFolder(template))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function initialise(program: MySqlProgram, data: string, signal: AbortSignal | undefined): Promise<void> {
  const common = ['--no-defaults', `--datadir=${data}`, ...userArguments()];
  const errorLog = `${data}.log`;
  const result =
    program.installer === null
      ? await runCommand(
          program.server,
          [...common, '--initialize-insecure', '--loose-innodb-redo-log-capacity=16M', `--log-error=${errorLog}`],
          { signal },
        )
      : await runCommand(
          program.installer,
          [...common, '--skip-test-db', '--innodb-log-file-size=16M', '--skip-name-resolve'],
          { signal },
        );
  signal?.throwIfAborted();
  const log = await readFile(errorLog, 'utf8').catch(() => '');
  await rm(errorLog, { force: true });
  if (result.code === 0) return;
  const output = `${log}${result.stderr}${result.stdout}`.trim().split('\n').slice(-15).join('\n');
  const hint = /apparmor|permission denied|errcode: 13/i.test(output)
    ? '\n(on Ubuntu, AppArmor may keep mysqld from folders other than /var/lib/mysql; MariaDB has no such profile)'
    : '';
  throw new ServerStartError(`${program.server} could not make a data directory in ${data}:\n${output}${hint}`);
}

/** Drafts of processes that were killed while making them. */
async function removeAbandoned(templates: string): Promise<void> {
  for (const name of await readdir(templates)) {
    const pid = /^draft-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await isAlive(Number(pid)))) continue;
    await rm(join(templates, name), { recursive: true, force: true });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
