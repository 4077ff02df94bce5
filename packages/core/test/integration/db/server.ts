import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** A mariadbd of the test file's own, in a temporary folder. */
export interface TestServer {
  readonly pid: number;
  readonly port: number;
  /** Makes an empty database and returns its URL. Created as latin1, so that nothing rests on its defaults. */
  createDatabase(name: string): Promise<string>;
  /** Runs statements as root, on a connection of their own, and returns the last one's rows. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Ends the server by a signal and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

export async function startServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dist-crawl-db-'));
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const made = spawnSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...user],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const launch = () =>
    spawn(
      'mariadbd',
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        `--socket=${join(folder, 'socket')}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        '--innodb-flush-log-at-trx-commit=1',
        ...user,
      ],
      { stdio: 'ignore' },
    );
  let child = launch();

  async function connect(database?: string) {
    return await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      jsonStrings: true,
      ...(database ? { database } : {}),
    });
  }

  const server: TestServer = {
    get pid() {
      if (child.pid === undefined) throw new Error('mariadbd does not run');
      return child.pid;
    },
    port,
    async createDatabase(name) {
      await server.query(`create database ${name} character set latin1`);
      return `mysql://root@127.0.0.1:${port}/${name}`;
    },
    async query(statement, database) {
      const connection = await connect(database);
      try {
        const [rows] = await connection.query(statement);
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      } finally {
        connection.destroy();
      }
    },
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    async start() {
      if (child.exitCode !== null || child.signalCode !== null) child = launch();
      const deadline = Date.now() + START_TIMEOUT_MS;
      for (;;) {
        try {
          await server.query('select 1');
          return;
        } catch (error) {
          if (Date.now() > deadline || child.exitCode !== null) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    },
    async stop() {
      await server.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
