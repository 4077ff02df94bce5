import type { DaemonExit } from '@dist-crawl/testbed';
import type { Cluster } from '../e2e/cluster.js';
import { startTcpProxy } from './tcp-proxy.js';

/** Runs a scheduler until it asks Redis to let go of URLs whose dead letters it has saved, and kills it right there. */
export async function killBeforeBurial(
  cluster: Cluster,
  cleanUp: (work: () => Promise<void>) => void,
): Promise<DaemonExit> {
  let kill: () => void = () => undefined;
  const { failUrlZset, pendingUrlSet, task, deadUrlSet } = cluster.frontier.keys;
  const redisUrl = String(cluster.env['REDIS_URL']);
  const proxy = await startTcpProxy({
    port: Number(new URL(redisUrl).port),
    onRequest(bytes) {
      // The keys of bury-failed, in their order.
      const text = bytes.toString('latin1');
      const places = [failUrlZset, pendingUrlSet, task, deadUrlSet].map((key) => text.indexOf(`\r\n${key}\r\n`));
      if (!places.every((place, index) => place > (places[index - 1] ?? 0))) return 'pass';
      kill();
      return 'cut';
    },
  });
  cleanUp(() => proxy.stop());
  const scheduler = await cluster.scheduler({ REDIS_URL: proxy.through(redisUrl) });
  kill = () => scheduler.signalGroup('SIGKILL');
  return scheduler.exited;
}
