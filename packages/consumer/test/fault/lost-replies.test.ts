import { describe, expect } from 'vitest';
import { startCluster } from '../e2e/cluster.js';
import { faultCase } from './fault-case.js';
import { fullAudit } from './full-audit.js';
import { startTcpProxy } from './tcp-proxy.js';

describe('a connection to Redis that is cut between a script and its reply', () => {
  faultCase(
    'loses no claim: no task stays leased by nobody, none is run twice',
    { fault: 'reply to a claim lost' },
    async (run) => {
      const pages = run.pages(150);
      const cluster = await startCluster({ shop: { pages }, site: ['pace: { rate: 100/s, concurrency: 16 }'] });
      run.cleanUp(() => cluster.stop());
      const { taskQueue, pendingUrlSet, failUrlZset, task, workers } = cluster.frontier.keys;
      const claim = [taskQueue, pendingUrlSet, failUrlZset, task, workers].map((key) => `\r\n${key}\r\n`);
      const asked = new WeakSet();
      let cuts = 0;
      const proxy = await startTcpProxy({
        port: Number(new URL(String(cluster.env['REDIS_URL'])).port),
        onRequest(bytes, connection) {
          const text = bytes.toString('latin1');
          const places = claim.map((key) => text.indexOf(key));
          if (places.every((place, index) => place > (places[index - 1] ?? 0))) asked.add(connection);
          return 'pass';
        },
        onReply(bytes, connection) {
          // Only replies that give tasks; those of a claim that waits are as good as none.
          if (!asked.has(connection) || !/\$5\r\ntasks\r\n/.test(bytes.toString('latin1'))) return 'pass';
          asked.delete(connection);
          if (run.random.next() > 0.4) return 'pass';
          cuts += 1;
          return 'cut';
        },
      });
      run.cleanUp(() => proxy.stop());
      await cluster.produce('--pages', `1-${pages}`);
      const redisUrl = proxy.through(String(cluster.env['REDIS_URL']));
      const node = await cluster.consumer('node-1', { args: ['--until-done'], env: { REDIS_URL: redisUrl } });
      await cluster.finished(200_000);
      const audit = await fullAudit(cluster, { pages });
      expect(cuts, 'connections cut').toBeGreaterThan(2);
      expect(audit.done).toBe(pages);
      const lists = Object.entries(cluster.shop.counts().paths).filter(([path]) => path.startsWith('/goods/list'));
      expect(
        lists.filter(([, { requests }]) => requests !== 1),
        'pages asked for more than once',
      ).toEqual([]);
      expect((await cluster.frontier.census()).counters).not.toHaveProperty('unheld');
      run.record({ audit, strikes: cuts });
      expect((await node.exited).code).toBe(0);
    },
  );

  faultCase('loses no end of a task: it is done once', { fault: 'reply to a completion lost' }, async (run) => {
    const pages = run.pages(150);
    const cluster = await startCluster({ shop: { pages }, site: ['pace: { rate: 100/s, concurrency: 16 }'] });
    run.cleanUp(() => cluster.stop());
    let cuts = 0;
    const proxy = await startTcpProxy({
      port: Number(new URL(String(cluster.env['REDIS_URL'])).port),
      onReply(bytes) {
        if (!/\$9\r\ncompleted\r\n/.test(bytes.toString('latin1')) || run.random.next() > 0.4) return 'pass';
        cuts += 1;
        return 'cut';
      },
    });
    run.cleanUp(() => proxy.stop());
    await cluster.produce('--pages', `1-${pages}`);
    const redisUrl = proxy.through(String(cluster.env['REDIS_URL']));
    const node = await cluster.consumer('node-1', { args: ['--until-done'], env: { REDIS_URL: redisUrl } });
    await cluster.finished(200_000);
    const audit = await fullAudit(cluster, { pages });
    expect(cuts, 'connections cut').toBeGreaterThan(0);
    expect((await cluster.frontier.census()).counters).toMatchObject({ done: pages });
    run.record({ audit, strikes: cuts });
    expect((await node.exited).code).toBe(0);
  });
});
