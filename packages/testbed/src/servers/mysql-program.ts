import { dirname, join } from 'node:path';

import { findProgram } from './find-program.js';
import { runCommand } from './run-command.js';

/** A MySQL or MariaDB server program of this machine. */
export interface MySqlProgram {
  readonly flavour: 'mariadb' | 'mysql';
  /** `10.11.19`, `8.4.3`. */
  readonly version: string;
  readonly server: string;
  /** MariaDB's script that makes a data directory; Oracle's server does that itself. */
  readonly installer: string | null;
}

/** What of this machine can serve as MySQL, or null. A MariaDB without its installer can't. */
export async function findMySqlProgram(): Promise<MySqlProgram | null> {
  for (const name of ['mariadbd', 'mysqld']) {
    const server = await findProgram([name]);
    const program = server === null ? null : await inspect(server);
    if (program !== null) return program;
  }
  return null;
}

async function inspect(server: string): Promise<MySqlProgram | null> {
  const { code, stdout } = await runCommand(server, ['--no-defaults', '--version'], { timeoutMs: 10_000 });
  const version = /\bVer (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return null;
  if (!/mariadb/i.test(stdout)) return { flavour: 'mysql', version, server, installer: null };
  const installer = await findInstaller(server);
  return installer === null ? null : { flavour: 'mariadb', version, server, installer };
}

/** Beside the server for a tarball or Homebrew, else wherever the distribution put it. */
async function findInstaller(server: string): Promise<string | null> {
  const prefix = dirname(dirname(server));
  const beside = ['bin', 'scripts'].flatMap((folder) => [
    join(prefix, folder, 'mariadb-install-db'),
    join(prefix, folder, 'mysql_install_db'),
  ]);
  return findProgram([...beside, 'mariadb-install-db', 'mysql_install_db']);
}

/** mariadbd and mysqld refuse to run as root unless told so by name. */
export function userArguments(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
