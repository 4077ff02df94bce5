import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { REAL_SURROUNDINGS, type Surroundings } from '../servers/choose-ways.js';
import { containerRuns, removeContainer } from '../servers/docker-server.js';
import { localDirectory } from '../servers/local-directory.js';
import { mysqlAnswers, mysqlUrl } from '../servers/mysql-client.js';
import { isAlive, signalProcess, waitUntilGone } from '../servers/process-table.js';
import { probeRedis } from '../servers/redis-probe.js';
import { redisUrl } from '../servers/redis-server.js';
import { readServerRecord, runningPid, type ServerRecord, writePrivately } from '../servers/server-folder.js';
import { startServers } from '../servers/start-servers.js';
import { withStartLock } from './start-lock.js';

/**
 * Private Redis and MySQL that run in the background, for people who try the product or develop it without Docker.
 * Their data are kept in `.local/services`, and so are ports and passwords: URLs stay the same from one start to the
 * next. `.local/services.json` tells daemons where they are.
 */
export interface ServicesOptions {
  /** The folder that is `.local` for these services; default: the one of this checkout. */
  readonly local?: string;
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceState {
  readonly running: boolean;
  /** Password included; null if it was never started. */
  readonly url: string | null;
  /** Null when it does not run, or runs in a container. */
  readonly pid: number | null;
}

export interface ServicesStatus {
  readonly redis: ServiceState;
  readonly mysql: ServiceState;
  /** Where daemons read the URLs. */
  readonly file: string;
  /** ISO 8601, of the last start that started something; null if neither runs. */
  readonly startedAt: string | null;
}

const fileSchema = z.object({
  redisUrl: z.string(),
  databaseUrl: z.string(),
  redisPid: z.int().nullable(),
  mysqlPid: z.int().nullable(),
  startedAt: z.string(),
});

/** How long an orderly end may take: Redis writes its file, MySQL its dirty pages. */
const STOP_TIMEOUT_MS = 60_000;

/** Starts what does not run, and writes `.local/services.json`. Run again, or by two at once, it changes nothing. */
export async function startServices(
  options: ServicesOptions = {},
  around: Surroundings = REAL_SURROUNDINGS,
): Promise<ServicesStatus> {
  const local = options.local ?? localDirectory();
  const directory = join(local, 'services');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return withStartLock(join(directory, 'start.lock'), options.signal, async () => {
    const before = await servicesStatus(options);
    if (before.redis.running && before.mysql.running) {
      await writeServicesFile(before, before.startedAt ?? new Date().toISOString());
      return servicesStatus(options);
    }
    const servers = await startServers(
      {
        ...options,
        directory,
        durable: true,
        redisUrl: before.redis.running ? (before.redis.url ?? undefined) : undefined,
        databaseUrl: before.mysql.running ? (before.mysql.url ?? undefined) : undefined,
      },
      around,
    );
    await servers.detach();
    await writeServicesFile(await servicesStatus(options), new Date().toISOString());
    return servicesStatus(options);
  });
}

/** Stops both in order, keeps their data, removes `.local/services.json`. False if neither ran. */
export async function stopServices(options: ServicesOptions = {}): Promise<boolean> {
  const local = options.local ?? localDirectory();
  const ended = await Promise.all(['redis', 'mysql'].map(async (kind) => stopService(join(local, 'services', kind))));
  await rm(join(local, 'services.json'), { force: true });
  return ended.includes(true);
}

/** What runs now, by asking the servers; a stale file of a crashed machine does not count. */
export async function servicesStatus(options: ServicesOptions = {}): Promise<ServicesStatus> {
  const local = options.local ?? localDirectory();
  const file = join(local, 'services.json');
  const [redis, mysql] = await Promise.all([
    serviceState(
      join(local, 'services', 'redis'),
      ({ port, password }) => redisUrl(port, password),
      async ({ port, password }) => (await probeRedis(port, password)) !== null,
    ),
    serviceState(
      join(local, 'services', 'mysql'),
      ({ port, password }) => mysqlUrl(port, password),
      async ({ port, password }) => mysqlAnswers(mysqlUrl(port, password)),
    ),
  ]);
  const startedAt = redis.running || mysql.running ? await readStartTime(file) : null;
  return { redis, mysql, file, startedAt };
}

async function serviceState(
  directory: string,
  url: (record: ServerRecord) => string,
  answers: (record: ServerRecord) => Promise<boolean>,
): Promise<ServiceState> {
  const record = await readServerRecord(directory);
  if (record === null) return { running: false, url: null, pid: null };
  const pid = await runningPid(directory);
  const there = pid !== null || (record.container !== null && (await containerRuns(record.container)));
  return { running: there && (await answers(record)), url: url(record), pid };
}

async function stopService(directory: string): Promise<boolean> {
  const record = await readServerRecord(directory);
  if (record?.container != null) {
    const ran = await containerRuns(record.container);
    await removeContainer(record.container);
    return ran;
  }
  const pid = await runningPid(directory);
  if (pid === null) return false;
  signalProcess(pid, 'SIGTERM');
  if (await waitUntilGone(pid, STOP_TIMEOUT_MS)) return true;
  if (await isAlive(pid)) signalProcess(pid, 'SIGKILL');
  await waitUntilGone(pid, 5_000);
  return true;
}

async function writeServicesFile({ redis, mysql, file }: ServicesStatus, startedAt: string): Promise<void> {
  const content = {
    redisUrl: redis.url,
    databaseUrl: mysql.url,
    redisPid: redis.pid,
    mysqlPid: mysql.pid,
    startedAt,
  };
  await writePrivately(file, `${JSON.stringify(content, null, 2)}\n`);
}

async function readStartTime(file: string): Promise<string | null> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).startedAt;
  } catch {
    return null;
  }
}
