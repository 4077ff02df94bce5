import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { freePort } from './free-port.js';
import { type Guard, startGuard } from './guard.js';
import { createDatabase, MYSQL_USER, mysqlAnswers, mysqlUrl, runStatements, setUpStatements } from './mysql-client.js';
import { SHARED_SETTINGS } from './mysql-server.js';
import { type MySqlServer, type RedisServer, type ServerOptions, ServerStartError } from './private-server.js';
import { probeRedis } from './redis-probe.js';
import { redisUrl } from './redis-server.js';
import { runCommand } from './run-command.js';
import { makePassword, readServerRecord, writePrivately, writeServerRecord } from './server-folder.js';

const ANSWER_TIMEOUT_MS = 180_000;
const PORT_ATTEMPTS = 5;
const PORT_TAKEN = /port is already allocated|address already in use/i;

/** Whether a Docker engine runs and lets us in. Quick, also where the engine hangs. */
export async function dockerRuns(): Promise<boolean> {
  const { code } = await runCommand('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 5_000 });
  return code === 0;
}

interface ContainerSpec {
  readonly kind: 'redis' | 'mysql';
  readonly image: string;
  readonly innerPort: number;
  /** Where the image keeps its data. */
  readonly dataPath: string;
  readonly environment: (password: string) => string;
  readonly command: readonly string[];
  readonly answers: (port: number, password: string) => Promise<boolean>;
}

/** A Redis 8 in a container of its own, on 127.0.0.1. */
export async function startRedisContainer(options: ServerOptions & { persist?: boolean }): Promise<RedisServer> {
  const durable = options.durable ?? false;
  // By a file, so that the password does not show in the process list.
  const script =
    'printf "requirepass %s\\n" "$REDIS_PASSWORD" > /tmp/redis.conf && ' +
    'exec docker-entrypoint.sh redis-server /tmp/redis.conf "$@"';
  const settings = ['--save', '', '--appendonly', (options.persist ?? durable) ? 'yes' : 'no'];
  const { server, password } = await startContainer(options, {
    kind: 'redis',
    image: 'redis:8',
    innerPort: 6379,
    dataPath: '/data',
    environment: (secret) => `REDIS_PASSWORD=${secret}\n`,
    command: ['sh', '-c', script, 'sh', ...settings, ...(options.args ?? [])],
    answers: async (port, secret) => (await probeRedis(port, secret)) !== null,
  });
  return { ...server, kind: 'redis', url: redisUrl(server.port, password) };
}

/** A MySQL 8.4 in a container of its own, on 127.0.0.1. */
export async function startMysqlContainer(options: ServerOptions): Promise<MySqlServer> {
  const { server, password } = await startContainer(options, {
    kind: 'mysql',
    image: 'mysql:8.4',
    innerPort: 3306,
    dataPath: '/var/lib/mysql',
    environment: (secret) => `MYSQL_ROOT_PASSWORD=${secret}\n`,
    command: ['mysqld', ...SHARED_SETTINGS, ...(options.args ?? [])],
    answers: async (port, secret) => mysqlAnswers(rootUrl(port, secret)),
  });
  await runStatements(rootUrl(server.port, password), setUpStatements(password, ['%']));
  const url = mysqlUrl(server.port, password);
  return { ...server, kind: 'mysql', url, socket: null, createDatabase: async (name) => createDatabase(url, name) };
}

/** The administrator of the image, with no database chosen. */
function rootUrl(port: number, password: string): string {
  return mysqlUrl(port, password)
    .replace(`//${MYSQL_USER}:`, '//root:')
    .replace(/[^/]*$/, '');
}

type Container = Omit<RedisServer, 'kind' | 'url'>;

async function startContainer(
  options: ServerOptions,
  spec: ContainerSpec,
): Promise<{ server: Container; password: string }> {
  const { log, signal, durable = false } = options;
  const directory = resolve(options.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = durable ? await readServerRecord(directory) : null;
  const password = known?.password ?? makePassword();
  const name = containerName(directory, spec.kind, durable);
  log?.(`${spec.image}: starting a container named ${name} (the first time, Docker downloads the image)`);
  const guard = (options.guarded ?? true) ? startGuard({ kill: { container: name }, graceSeconds: 0 }) : null;
  const environmentFile = join(directory, 'container.env');
  await writePrivately(environmentFile, spec.environment(password));
  try {
    const volume = durable ? ['-v', `${name}:${spec.dataPath}`] : [];
    const port = await runContainer(name, environmentFile, volume, spec, known?.port, signal);
    await waitUntilItAnswers(name, async () => spec.answers(port, password), signal);
    await writeServerRecord(directory, { pid: null, port, password, owner: null, container: name });
    return { server: containerHandle(name, port, guard, async () => spec.answers(port, password)), password };
  } catch (error) {
    guard?.dismiss();
    await removeContainer(name);
    throw error;
  } finally {
    await rm(environmentFile, { force: true });
  }
}

/** Durable containers are found again by their name; the others never meet. */
function containerName(directory: string, kind: 'redis' | 'mysql', durable: boolean): string {
  const hash = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 8);
  return `dist-crawl-${kind}-${durable ? hash : randomBytes(6).toString('hex')}`;
}

/** Whether a container of this name runs. */
export async function containerRuns(name: string): Promise<boolean> {
  const { stdout } = await runCommand('docker', ['inspect', '-f', '{{.State.Running}}', name], { timeoutMs: 10_000 });
  return stdout.trim() === 'true';
}

/** Removes a container; named volumes, where durable data are, stay. */
export async function removeContainer(name: string): Promise<void> {
  await runCommand('docker', ['rm', '-f', '-v', name], { timeoutMs: 60_000 });
}

async function runContainer(
  name: string,
  environmentFile: string,
  volume: readonly string[],
  spec: ContainerSpec,
  preferredPort: number | undefined,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? preferredPort : undefined);
    await removeContainer(name);
    const published = `127.0.0.1:${port}:${spec.innerPort}`;
    const options = ['--name', name, '--env-file', environmentFile, '-p', published, ...volume];
    const result = await runCommand('docker', ['run', '-d', ...options, spec.image, ...spec.command], { signal });
    if (result.code === 0) return port;
    signal?.throwIfAborted();
    if (attempt < PORT_ATTEMPTS && PORT_TAKEN.test(result.stderr)) continue;
    throw new ServerStartError(`Docker could not start ${spec.image}: ${result.stderr.trim()}`);
  }
}

async function waitUntilItAnswers(
  name: string,
  answers: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = performance.now() + ANSWER_TIMEOUT_MS;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    if (await answers()) return;
    await new Promise((resolve_) => {
      setTimeout(resolve_, 200);
    });
  }
  const { stdout, stderr } = await runCommand('docker', ['logs', '--tail', '15', name], { timeoutMs: 10_000 });
  throw new ServerStartError(`the container ${name} does not answer; the end of its log:\n${stdout}${stderr}`);
}

async function docker(...args: string[]): Promise<void> {
  await runCommand('docker', args, { timeoutMs: 120_000 });
}

function containerHandle(name: string, port: number, guard: Guard | null, answers: () => Promise<boolean>): Container {
  return {
    origin: 'docker',
    port,
    pid: null,
    stop: async () => docker('stop', '-t', '60', name),
    kill: async () => docker('kill', name),
    restart: async () => {
      await docker('restart', '-t', '60', name);
      await waitUntilItAnswers(name, answers, undefined);
    },
    close: async () => {
      await removeContainer(name);
      guard?.dismiss();
    },
    detach: async () => {
      guard?.dismiss();
    },
  };
}
