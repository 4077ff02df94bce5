import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { chooseWays, REAL_SURROUNDINGS, type Surroundings, type WayOptions } from './choose-ways.js';
import { startMysqlContainer, startRedisContainer } from './docker-server.js';
import { givenMysql, givenRedis } from './given-servers.js';
import { localDirectory } from './local-directory.js';
import { startMysql } from './mysql-server.js';
import type { MySqlServer, RedisServer } from './private-server.js';
import { isAlive } from './process-table.js';
import { startRedis } from './redis-server.js';

export interface StartServersOptions extends WayOptions {
  /** Where the two put their folders; default: a new one under `.local/run`, removed at the end. */
  readonly directory?: string;
  /** See `ServerOptions`. */
  readonly durable?: boolean;
  readonly guarded?: boolean;
  readonly redis?: { readonly persist?: boolean; readonly args?: readonly string[]; readonly password?: string };
  readonly mysql?: { readonly args?: readonly string[] };
}

export interface Servers {
  readonly redis: RedisServer;
  readonly mysql: MySqlServer;
  /** Ends both, and removes what was not to be kept. May be called twice; given servers stay as they are. */
  stop(): Promise<void>;
  /** Both live on after this process. */
  detach(): Promise<void>;
}

/**
 * Gets a Redis and a MySQL going for the command that calls it, by the first way that is open on this machine (see
 * `chooseWays`). They end with `stop()`, and with this process in any case. Throws `ServersMissingError` when there
 * is no way, `ServerStartError` when a server does not come up; nothing is left running then.
 */
export async function startServers(
  options: StartServersOptions = {},
  around: Surroundings = REAL_SURROUNDINGS,
): Promise<Servers> {
  const ways = await chooseWays(options, around);
  const passing = options.directory === undefined;
  const directory = resolve(options.directory ?? (await newRunFolder()));
  const common = {
    log: options.log,
    signal: options.signal,
    durable: options.durable ?? false,
    guarded: options.guarded ?? true,
  };
  const redisOptions = { ...common, ...options.redis, directory: join(directory, 'redis') };
  const mysqlOptions = { ...common, ...options.mysql, directory: join(directory, 'mysql') };

  const started = await Promise.allSettled([
    ways.redis.by === 'given'
      ? givenRedis(ways.redis.url)
      : ways.redis.by === 'docker'
        ? startRedisContainer(redisOptions)
        : startRedis({ ...redisOptions, program: ways.redis.program }),
    ways.mysql.by === 'given'
      ? givenMysql(ways.mysql.url)
      : ways.mysql.by === 'docker'
        ? startMysqlContainer(mysqlOptions)
        : startMysql({ ...mysqlOptions, program: ways.mysql.program }),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(async (each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
    if (passing) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const [redis, mysql] = started;
  if (redis.status === 'rejected' || mysql.status === 'rejected') {
    await stop();
    throw redis.status === 'rejected' ? redis.reason : mysql.status === 'rejected' ? mysql.reason : undefined;
  }
  return {
    redis: redis.value,
    mysql: mysql.value,
    stop,
    detach: async () => {
      await Promise.all([redis.value.detach(), mysql.value.detach()]);
    },
  };
}

/** A folder for this run alone. What runs of processes that are gone left behind is removed on the way. */
async function newRunFolder(): Promise<string> {
  const runs = join(localDirectory(), 'run');
  await mkdir(runs, { recursive: true });
  for (const name of await readdir(runs)) {
    const pid = /^(\d+)-[0-9a-f]+$/.exec(name)?.[1];
    if (pid === undefined || (await isAlive(Number(pid)))) continue;
    await rm(join(runs, name), { recursive: true, force: true, maxRetries: 5 });
  }
  return join(runs, `${process.pid}-${randomBytes(4).toString('hex')}`);
}
