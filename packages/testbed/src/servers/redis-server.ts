import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { findProgram } from './find-program.js';
import { type RedisServer, type ServerOptions, ServerStartError } from './private-server.js';
import { probeRedis } from './redis-probe.js';
import { runCommand } from './run-command.js';
import { chooseDataFolder, makePassword, prepareServerFolder, writePrivately } from './server-folder.js';
import { ServerProcess } from './server-process.js';

export interface RedisOptions extends ServerOptions {
  /** Whether an append-only file keeps the data over `kill` and `restart` (default: as `durable`). */
  readonly persist?: boolean;
  /** Default: one made up for this folder. Empty: none, as replication and Sentinel set-ups of tests may want. */
  readonly password?: string;
  /** The server to run; default: what is found on this machine. */
  readonly program?: string;
}

/** BLMOVE came with 6.2. */
const OLDEST = { major: 6, minor: 2 };

/** The Redis (or Valkey) of this machine, or null if there is none that is new enough. */
export async function findRedisProgram(): Promise<string | null> {
  const program = await findProgram(['redis-server', 'valkey-server']);
  if (program === null) return null;
  const { stdout } = await runCommand(program, ['--version'], { timeoutMs: 5_000 });
  const [, major = '0', minor = '0'] = /\bv=(\d+)\.(\d+)/.exec(stdout) ?? [];
  const newEnough = Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  return newEnough ? program : null;
}

/** Starts a Redis of our own on 127.0.0.1. Throws `ServerStartError` if it can't. */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const program = options.program ?? (await findRedisProgram());
  if (program === null) throw new ServerStartError('found no redis-server (6.2 or newer) or valkey-server');
  const directory = resolve(options.directory);
  const durable = options.durable ?? false;
  const persist = options.persist ?? durable;
  const known = await prepareServerFolder(directory, durable);
  const data = chooseDataFolder(directory, durable);
  const password = options.password ?? known?.password ?? makePassword();
  const server = new ServerProcess({
    name: 'Redis',
    program,
    directory,
    data,
    password,
    durable,
    guarded: options.guarded ?? true,
    configure: async (port) => {
      await mkdir(data, { recursive: true, mode: 0o700 });
      const file = join(directory, 'redis.conf');
      await writePrivately(file, configuration({ data, port, password, persist, durable }));
      return [file, ...(options.args ?? [])];
    },
    answers: async (port, pid) => (await probeRedis(port, password))?.get('process_id') === String(pid),
  });
  await server.start(known?.port, options.signal);
  return {
    kind: 'redis',
    origin: 'process',
    get url() {
      return redisUrl(server.port, password);
    },
    get port() {
      return server.port;
    },
    get pid() {
      return server.pid;
    },
    stop: async () => server.stop(),
    kill: async () => server.kill(),
    restart: async () => server.restart(),
    close: async () => server.close(),
    detach: async () => server.detach(),
  };
}

export function redisUrl(port: number, password: string): string {
  return `redis://${password === '' ? '' : `default:${password}@`}127.0.0.1:${port}`;
}

interface Configuration {
  readonly data: string;
  readonly port: number;
  readonly password: string;
  readonly persist: boolean;
  readonly durable: boolean;
}

/** The whole configuration: no file of the system is read. `set-proc-title no` keeps our folder in the process list. */
function configuration({ data, port, password, persist, durable }: Configuration): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'daemonize no',
    'set-proc-title no',
    `dir ${JSON.stringify(data)}`,
    ...(password === '' ? [] : [`requirepass ${password}`]),
    'save ""',
    `appendonly ${persist ? 'yes' : 'no'}`,
    `appendfsync ${durable ? 'everysec' : 'no'}`,
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}
