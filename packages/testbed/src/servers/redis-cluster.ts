import { join } from 'node:path';
import { connectRedis, type RedisClient } from '@dist-crawl/core/redis';

import { eventually } from '../processes/eventually.js';
import { freePort } from './free-port.js';
import type { RedisServer } from './private-server.js';
import { startRedis } from './redis-server.js';

export interface RedisClusterOptions {
  readonly directory: string;
  /** Silence after which the others take a node for dead; default 1 s. */
  readonly nodeTimeoutMs?: number;
}

/** Three masters with a replica each. */
export interface RedisCluster {
  readonly servers: readonly RedisServer[];
  /** As REDIS_CLUSTER names it. */
  readonly setting: string;
  /** The server that serves the slot of a key at this moment, as one that runs sees it. */
  masterOf(key: string): Promise<RedisServer>;
  stop(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;
const PASSWORD = 'cluster-test-password';

/** Starts it and returns when all nodes agree that it is up and the replicas are in step. */
export async function startRedisCluster({
  directory,
  nodeTimeoutMs = 1_000,
}: RedisClusterOptions): Promise<RedisCluster> {
  const running: RedisServer[] = [];
  const clients: RedisClient[] = [];
  const stop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    await Promise.all(running.map((server) => server.close()));
  };
  try {
    const nodes: { server: RedisServer; client: RedisClient; bus: number }[] = [];
    for (let n = 0; n < 2 * MASTERS; n += 1) {
      const bus = await freePort();
      const cluster = [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        String(bus),
        '--cluster-node-timeout',
        String(nodeTimeoutMs),
      ];
      const replication = [
        '--masterauth',
        PASSWORD,
        '--repl-diskless-sync-delay',
        '0',
        '--cluster-replica-validity-factor',
        '0',
      ];
      const server = await startRedis({
        directory: join(directory, `node-${n}`),
        password: PASSWORD,
        args: [...cluster, ...replication],
      });
      running.push(server);
      const client = connectRedis({ url: server.url, name: 'testbed' });
      clients.push(client);
      nodes.push({ server, client, bus });
    }
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error('no node');
    for (const [n, { client }] of nodes.entries()) {
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
      if (n >= MASTERS) continue;
      const [from, to] = [n, n + 1].map((share) => Math.floor((SLOTS * share) / MASTERS));
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? SLOTS) - 1);
    }
    for (const { server, bus } of others) await first.client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, bus);
    const ids = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'MYID')));
    for (const [n, { client }] of nodes.entries()) {
      if (n < MASTERS) continue;
      // Refused until word of the master has come round.
      await eventually(async () => client.call('CLUSTER', 'REPLICATE', String(ids[n - MASTERS])), {
        timeoutMs: 30_000,
      });
    }
    for (const [n, { client }] of nodes.entries()) {
      await eventually(async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'), {
        timeoutMs: 30_000,
      });
      if (n < MASTERS) continue;
      await eventually(async () => (await client.info('replication')).includes('master_link_status:up'), {
        timeoutMs: 30_000,
      });
    }
    const masterOf = async (key: string): Promise<RedisServer> => {
      const asked = nodes.find(({ server }) => server.pid !== null);
      const slot = Number(await asked?.client.call('CLUSTER', 'KEYSLOT', key));
      const ranges = (await asked?.client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
      const port = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2][1];
      const found = running.find((server) => server.port === port);
      if (found === undefined) throw new Error(`slot ${slot} is served by nobody of ours`);
      return found;
    };
    const setting = `redis://:${PASSWORD}@${nodes
      .slice(0, MASTERS)
      .map(({ server }) => `127.0.0.1:${server.port}`)
      .join(',')}`;
    return { servers: running, setting, masterOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
