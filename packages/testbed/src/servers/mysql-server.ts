import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { localDirectory } from './local-directory.js';
import { createDatabase, mysqlAnswers, mysqlUrl, setUpStatements } from './mysql-client.js';
import { findMySqlProgram, type MySqlProgram, userArguments } from './mysql-program.js';
import { copyTemplate } from './mysql-template.js';
import { type MySqlServer, type ServerOptions, ServerStartError } from './private-server.js';
import { chooseDataFolder, makePassword, prepareServerFolder, writePrivately } from './server-folder.js';
import { ServerProcess } from './server-process.js';

export interface MySqlOptions extends ServerOptions {
  /** The server to run; default: what is found on this machine. */
  readonly program?: MySqlProgram;
  /** Where initialised data directories are kept for copying; default `.local/template`. */
  readonly templates?: string;
}

/** The longest path that fits into a socket address everywhere (macOS: 104 bytes with the closing zero). */
const MAX_SOCKET_PATH_BYTES = 103;

/** Starts a MySQL of our own on 127.0.0.1. Throws `ServerStartError` if it can't. */
export async function startMysql(options: MySqlOptions): Promise<MySqlServer> {
  const program = options.program ?? (await findMySqlProgram());
  if (program === null) throw new ServerStartError('found no mariadbd or mysqld');
  const directory = resolve(options.directory);
  const durable = options.durable ?? false;
  const known = await prepareServerFolder(directory, durable);
  const data = chooseDataFolder(directory, durable);
  const password = known?.password ?? makePassword();
  if (!(await exists(join(data, 'mysql')))) {
    await rm(data, { recursive: true, force: true });
    await copyTemplate(program, options.templates ?? join(localDirectory(), 'template'), data, options.signal);
  }
  const socket = await chooseSocket(directory);
  const pidFile = join(directory, 'mysql.pid');
  const initFile = join(directory, 'init.sql');
  await writePrivately(initFile, `${initStatements(program, password).join(';\n')};\n`);

  const server = new ServerProcess({
    name: 'MySQL',
    program: program.server,
    directory,
    data,
    password,
    durable,
    guarded: options.guarded ?? true,
    configure: async (port) => {
      await rm(socket, { force: true });
      return [
        '--no-defaults',
        `--datadir=${data}`,
        `--socket=${socket}`,
        `--pid-file=${pidFile}`,
        `--port=${port}`,
        `--init-file=${initFile}`,
        ...userArguments(),
        '--bind-address=127.0.0.1',
        ...SHARED_SETTINGS,
        ...(durable ? [] : PASSING_SETTINGS),
        ...(options.args ?? []),
      ];
    },
    answers: async (port) => mysqlAnswers(mysqlUrl(port, password)),
  });
  await server.start(known?.port, options.signal);
  const url = (): string => mysqlUrl(server.port, password);
  return {
    kind: 'mysql',
    origin: 'process',
    get url() {
      return url();
    },
    get port() {
      return server.port;
    },
    get pid() {
      return server.pid;
    },
    socket,
    createDatabase: async (name) => createDatabase(url(), name),
    stop: async () => server.stop(),
    kill: async () => server.kill(),
    restart: async () => server.restart(),
    close: async () => {
      await server.close();
      // SIGKILL leaves them.
      await rm(socket, { force: true });
      await rm(pidFile, { force: true });
      if (dirname(socket) !== directory) await rm(dirname(socket), { recursive: true, force: true });
    },
    detach: async () => server.detach(),
  };
}

/** What every private MySQL runs with, in a container too: utf8mb4, strict, UTC, small. */
export const SHARED_SETTINGS: readonly string[] = [
  '--loose-mysqlx=OFF',
  '--skip-name-resolve',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_unicode_520_ci',
  '--sql-mode=STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  '--default-time-zone=+00:00',
  '--performance-schema=OFF',
  '--innodb-buffer-pool-size=128M',
  '--innodb-buffer-pool-load-at-startup=OFF',
  '--innodb-buffer-pool-dump-at-shutdown=OFF',
];

/** For data that nobody wants back after a power cut. A killed server still finds all that it committed. */
const PASSING_SETTINGS = [
  '--skip-log-bin',
  '--innodb-flush-log-at-trx-commit=2',
  '--loose-innodb-flush-method=nosync',
  '--loose-innodb-doublewrite=OFF',
  '--loose-innodb-log-file-size=16M',
  '--loose-innodb-redo-log-capacity=16M',
  '--loose-aria-log-file-size=8M',
];

function initStatements(program: MySqlProgram, password: string): string[] {
  // Oracle's --initialize-insecure leaves a root without a password; MariaDB's root is the system's root by socket.
  const closeRoot = program.flavour === 'mysql' ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}'`] : [];
  return [...closeRoot, ...setUpStatements(password, ['127.0.0.1', 'localhost'])];
}

/** In the server's folder, unless its path is too long for a socket address: then in a folder of its own. */
async function chooseSocket(directory: string): Promise<string> {
  const socket = join(directory, 'mysql.sock');
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return socket;
  return join(await mkdtemp(join(tmpdir(), 'dist-crawl-')), 'mysql.sock');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
