import { join } from 'node:path';
import { connectRedis, type RedisClient } from '@dist-crawl/core/redis';

import { eventually } from '../processes/eventually.js';
import type { RedisServer } from './private-server.js';
import { startRedis } from './redis-server.js';

export interface RedisSentinelsOptions {
  readonly directory: string;
  /** Default 1. */
  readonly replicas?: number;
  /** Silence after which the sentinels take the master for dead; default 1 s. */
  readonly downAfterMs?: number;
}

/** A master, replicas and three sentinels, all with one password but the sentinels, which have none. */
export interface RedisSentinels {
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly RedisServer[];
  /** As REDIS_SENTINELS names it. */
  readonly setting: string;
  /** The server that the sentinels name at this moment. */
  master(): Promise<RedisServer>;
  stop(): Promise<void>;
}

const MASTER = 'crawl-master';
const PASSWORD = 'sentinel-test-password';
const QUORUM = 2;
const SENTINELS = 3;

/** Starts them and returns when every sentinel knows the others and the replicas are in step. */
export async function startRedisSentinels(options: RedisSentinelsOptions): Promise<RedisSentinels> {
  const { directory, replicas = 1, downAfterMs = 1_000 } = options;
  const running: RedisServer[] = [];
  const start = async (name: string, password: string, args: readonly string[]): Promise<RedisServer> => {
    const server = await startRedis({ directory: join(directory, name), password, args });
    running.push(server);
    return server;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.close()));
  };
  try {
    const replication = ['--masterauth', PASSWORD, '--repl-diskless-sync-delay', '0', '--repl-timeout', '10'];
    const first = await start('server-0', PASSWORD, replication);
    const servers = [first];
    for (let n = 1; n <= replicas; n += 1) {
      servers.push(
        await start(`server-${n}`, PASSWORD, [...replication, '--replicaof', '127.0.0.1', String(first.port)]),
      );
    }
    await Promise.all(servers.slice(1).map((server) => ask(server, replicaIsInStep)));
    const sentinels: RedisServer[] = [];
    for (let n = 0; n < SENTINELS; n += 1) sentinels.push(await start(`sentinel-${n}`, '', ['--sentinel']));
    for (const sentinel of sentinels) await ask(sentinel, (client) => watch(client, first.port, downAfterMs));
    for (const sentinel of sentinels) await ask(sentinel, (client) => knowsAll(client, replicas));
    const master = async (): Promise<RedisServer> => {
      const [asked] = sentinels;
      if (asked === undefined) throw new Error('no sentinel');
      const address = await ask(asked, (client) => client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER));
      const port = Array.isArray(address) ? Number(address[1]) : 0;
      const found = servers.find((server) => server.port === port);
      if (found === undefined) throw new Error(`the sentinels name port ${port}, where no server of ours is`);
      return found;
    };
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return { servers, sentinels, setting: `redis://:${PASSWORD}@${hosts}/${MASTER}`, master, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ask<T>({ url }: RedisServer, question: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = connectRedis({ url, name: 'testbed' });
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

async function replicaIsInStep(client: RedisClient): Promise<void> {
  await eventually(async () => (await client.info('replication')).includes('master_link_status:up'), {
    timeoutMs: 30_000,
  });
}

async function watch(client: RedisClient, port: number, downAfterMs: number): Promise<void> {
  await client.call('SENTINEL', 'MONITOR', MASTER, '127.0.0.1', port, QUORUM);
  await client.call(
    'SENTINEL',
    'SET',
    MASTER,
    'auth-pass',
    PASSWORD,
    'down-after-milliseconds',
    downAfterMs,
    'failover-timeout',
    10_000,
  );
}

async function knowsAll(client: RedisClient, replicas: number): Promise<void> {
  await eventually(
    async () => {
      const info = await client.info('sentinel');
      return info.includes(`slaves=${replicas},sentinels=${SENTINELS}`) && info.includes('status=ok');
    },
    { timeoutMs: 30_000 },
  );
}
