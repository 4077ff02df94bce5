import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnDaemon, type Daemon } from '@dist-crawl/testbed';

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Home {
  /** Starts a scheduler as a user does, in this home. */
  start(options?: { args?: readonly string[]; env?: Readonly<Record<string, string>> }): Promise<Daemon>;
  /** Kills what still runs, and removes the home. */
  close(): Promise<void>;
}

/** A project's root with one site file. */
export async function makeHome(servers: { redisUrl: string; databaseUrl: string }, namespace: string): Promise<Home> {
  const folder = await mkdtemp(join(tmpdir(), 'dist-crawl-scheduler-'));
  await mkdir(join(folder, 'sites'));
  const site = ['name: shop', `namespace: ${namespace}`, 'base: http://shop.test', 'pages: /list?page={page}', ''];
  await writeFile(join(folder, 'sites', 'shop.yaml'), site.join('\n'));
  const daemons: Daemon[] = [];
  return {
    async start({ args = [], env = {} } = {}) {
      const daemon = await spawnDaemon({
        name: `scheduler ${daemons.length + 1}`,
        entry: ENTRY,
        args,
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          CRAWL_HOME: folder,
          REDIS_URL: servers.redisUrl,
          DATABASE_URL: servers.databaseUrl,
          NODE_TAG: `scheduler-${daemons.length + 1}`,
          ...env,
        },
      });
      daemons.push(daemon);
      return daemon;
    },
    async close() {
      await Promise.all(daemons.map((daemon) => daemon.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
