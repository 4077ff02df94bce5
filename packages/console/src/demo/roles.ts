import { join } from 'node:path';
import { processEnv } from '@dist-crawl/core/config';
import type { DemoFolders } from './folders.js';

/** One process of the demo. */
export interface Role {
  /** Also the name of its log file. */
  readonly name: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface DemoRoles {
  readonly shop: Role;
  readonly producer: Role;
  readonly consumers: readonly Role[];
  readonly scheduler: Role;
}

export interface RolesRequest {
  readonly folders: DemoFolders;
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly shopPort: number;
  readonly pages: number;
  /** Consumers go on when all is done, rather than exit. */
  readonly stay: boolean;
}

const NODES = ['node-1', 'node-2'];
/** Often, so that failed pages come back while somebody watches; for real it is every 30 minutes. */
const RETRY_CRON = '*/5 * * * * *';

/** Who takes part: the shop, a producer, two consumer nodes with two workers each, and a retry-scheduler. */
export function demoRoles({ folders, redisUrl, databaseUrl, shopPort, pages, stay }: RolesRequest): DemoRoles {
  const main = (name: string): string => join(folders.checkout, 'packages', name, 'dist', 'main.js');
  // The whole environment, so that neither a .env nor variables of the user's own crawl change what the demo does.
  const env = {
    ...processEnv(),
    CRAWL_HOME: folders.home,
    REDIS_URL: redisUrl,
    REDIS_SENTINELS: '',
    REDIS_CLUSTER: '',
    DATABASE_URL: databaseUrl,
    SITES_DIR: folders.sites,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'info',
    MAX_FAILURES: '5',
    CONCURRENCY: '16',
    DRAIN_DEADLINE: '10s',
  };
  return {
    shop: {
      name: 'shop',
      entry: main('console'),
      args: ['shop', '--port', String(shopPort), '--pages', String(pages), '--faults'],
      env,
    },
    producer: {
      name: 'producer',
      entry: main('producer'),
      args: ['--pages', `1-${pages}`],
      env: { ...env, NODE_TAG: 'producer-1' },
    },
    consumers: NODES.map((node) => ({
      name: `consumer-${node}`,
      entry: main('consumer'),
      args: stay ? [] : ['--until-done'],
      env: { ...env, NODE_TAG: node, PROCESS_NUM: '2' },
    })),
    scheduler: {
      name: 'retry-scheduler',
      entry: main('retry-scheduler'),
      args: [],
      env: { ...env, NODE_TAG: 'scheduler-1', RETRY_CRON },
    },
  };
}
