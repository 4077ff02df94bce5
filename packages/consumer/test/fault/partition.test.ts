import { fileURLToPath } from 'node:url';
import { eventually, spawnDaemon } from '@dist-crawl/testbed';
import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { makeNetworkNamespace, noNetworkNamespace } from './network-namespace.js';
import { ended, heldBy, refusals, registered, timeUntil } from './processes.js';
import { startTcpProxy } from './tcp-proxy.js';

const launcher = fileURLToPath(new URL('fixtures/in-namespace.mjs', import.meta.url));
const consumer = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

describe('a node that is cut off the network', () => {
  faultCase(
    'is taken for dead, and goes on when the network is back: nothing it held is done twice',
    { fault: 'network partition of a node', skip: noNetworkNamespace() },
    async (run) => {
      const pages = run.pages(900);
      const network = makeNetworkNamespace(run.random.between(0, 249));
      run.cleanUp(() => network.remove());
      const bridge = async (port: number, url: string): Promise<string> => {
        const proxy = await startTcpProxy({ port, host: network.gateway });
        run.cleanUp(() => proxy.stop());
        return proxy.through(url);
      };
      const cluster = await startCluster({
        shop: { pages },
        base: async (shopUrl) => (await bridge(Number(new URL(shopUrl).port), shopUrl)).replace(/\/$/u, ''),
        site: ['pace: { rate: 20/s, concurrency: 24 }'],
      });
      run.cleanUp(() => cluster.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const through = async (name: string): Promise<string> => {
        const url = String(cluster.env[name]);
        return bridge(Number(new URL(url).port), url);
      };
      const far = await spawnDaemon({
        name: 'far',
        entry: launcher,
        cwd: cluster.sitesDir,
        env: {
          ...cluster.env,
          NETWORK_NAMESPACE: network.name,
          DAEMON: consumer,
          REDIS_URL: await through('REDIS_URL'),
          DATABASE_URL: await through('DATABASE_URL'),
          PROCESS_NUM: '2',
          CONCURRENCY: '8',
          NODE_TAG: 'far',
        },
      });
      run.cleanUp(() => far.kill());
      const near = await cluster.consumer('near');
      await eventually(async () => (await registered(cluster)).length === 4, { timeoutMs: 120_000 });
      await ended(cluster, run.random.between(10, 60));
      const before = await registered(cluster, 'far');
      await eventually(async () => (await heldBy(cluster, 'far~')) > 0, { timeoutMs: 20_000, everyMs: 5 });
      network.cut();
      const allGone = async (): Promise<boolean> => {
        const now = new Set(await registered(cluster));
        return before.every((id) => !now.has(id));
      };
      const recoveryMs = [await timeUntil(allGone, 60_000)];
      if (run.long) await new Promise((resolve) => setTimeout(resolve, 60_000 - (recoveryMs[0] ?? 0)));
      network.mend();
      await eventually(async () => (await registered(cluster, 'far')).length === 2, { timeoutMs: 90_000 });
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages });
      expect((await near.stop()).code).toBe(0);
      expect((await far.stop()).code, far.lines().slice(-10).join('\n')).toBe(0);
      run.record({ audit, strikes: 1, recoveryMs, refused: refusals([far]) });
    },
  );
});
