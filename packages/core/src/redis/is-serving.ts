import type { Cluster } from 'ioredis';
import type { RedisClient } from './connect.js';

/**
 * Whether Redis takes writes at this moment, in words where not: for readiness. A connection alone says little: its other end
 * may be a replica by now, or one of several masters may be gone.
 * @throws what Redis answers as an error
 */
export async function isServing(client: RedisClient): Promise<'yes' | { readonly no: string }> {
  if (client.status !== 'ready') return { no: 'no connection' };
  if ('nodes' in client) return clusterServes(client);
  const role = /^role:(\w+)/mu.exec(await client.info('replication'))?.[1];
  return role === 'slave' ? { no: 'a read-only replica: its master is elsewhere' } : 'yes';
}

async function clusterServes(client: Cluster): Promise<'yes' | { readonly no: string }> {
  const masters = client.nodes('master');
  if (masters.length === 0) return { no: 'no master is known' };
  const states = await Promise.all(masters.map((master) => master.cluster('INFO')));
  return states.every((state) => state.includes('cluster_state:ok'))
    ? 'yes'
    : { no: 'the cluster is down: some slots have no master' };
}
