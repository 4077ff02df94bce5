import type { TestProject } from 'vitest/node';
import { startServers } from '../packages/testbed/dist/index.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Redis for all test files of a run: each file keeps to a namespace of its own. */
    redisUrl: string;
    /** A MySQL for all test files of a run: each file creates a database of its own. The user may do everything. */
    databaseUrl: string;
  }
}

/** Private servers for one project of tests, empty and without fsync; they end with the run, however it ends. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startServers({ log: (line) => console.warn(line) });
  project.provide('redisUrl', servers.redis.url);
  project.provide('databaseUrl', servers.mysql.url);
  return async () => {
    await servers.stop();
  };
}
