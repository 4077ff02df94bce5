import type { Database } from '@dist-crawl/core/db';
import { z } from 'zod';
import { showCount } from '../terminal/figures.js';
import type { Finding } from './finding.js';

const TABLES = ['goods', 'pages', 'dead_urls', 'rejected_rows', 'migrations'].map((name) => `dist_crawl_${name}`);
/** The default of DB_POOL_SIZE: what each worker process opens. */
const CONNECTIONS_PER_WORKER = 4;
/** For primaries, schedulers, and whoever looks at the data. */
const SPARE_CONNECTIONS = 10;
const OLDEST = { MariaDB: [10, 11], MySQL: [8, 0] } as const;

export interface MysqlState {
  readonly version: string;
  readonly maxConnections: number;
  /** `innodb_flush_log_at_trx_commit`. */
  readonly flushAtCommit: number;
  readonly tables: readonly string[];
}

const settingsReply = z.tuple([z.object({ version: z.string(), flush: z.coerce.number() })]);
const tablesReply = z.array(z.object({ name: z.string() }));

/** Looks at MySQL's version, its schema and settings that endanger a crawl. */
export async function checkMysql(database: Database, workers: number, signal: AbortSignal): Promise<Finding[]> {
  const maxConnections = await database.maxConnections(signal);
  const state = await database.run(
    async (session) => {
      const [settings] = await session.execute(
        'select version() as version, @@innodb_flush_log_at_trx_commit as flush',
      );
      const [tables] = await session.execute(
        "select table_name as name from information_schema.tables where table_schema = database() and table_name like 'dist\\_crawl\\_%'",
      );
      const [{ version, flush }] = settingsReply.parse(settings);
      return { version, flushAtCommit: flush, tables: tablesReply.parse(tables).map(({ name }) => name) };
    },
    { signal },
  );
  return judgeMysql({ ...state, maxConnections }, workers);
}

const finding = (level: Finding['level'], what: string): Finding => ({ level, subject: 'MySQL', what });

export function judgeMysql(state: MysqlState, workers: number): Finding[] {
  return [version(state), schema(state), connections(state, workers), durability(state)];
}

function version({ version: text }: MysqlState): Finding {
  const flavour = /mariadb/iu.test(text) ? 'MariaDB' : 'MySQL';
  const [major = 0, minor = 0] = text.split('.').map((part) => Number.parseInt(part, 10));
  const [oldMajor, oldMinor] = OLDEST[flavour];
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor))
    return finding('ok', `${flavour} ${text.split('-')[0] ?? text}`);
  return finding('violated', `${flavour} ${text} is too old: ${oldMajor}.${oldMinor} or newer is needed`);
}

function schema({ tables }: MysqlState): Finding {
  const missing = TABLES.filter((table) => !tables.includes(table));
  if (missing.length === 0) return finding('ok', 'all tables are there');
  return finding(
    'violated',
    `${missing.length === TABLES.length ? 'there are no tables' : `${missing.join(', ')} missing`}: starting a consumer creates them`,
  );
}

function connections({ maxConnections }: MysqlState, workers: number): Finding {
  const needed = workers * CONNECTIONS_PER_WORKER + SPARE_CONNECTIONS;
  const workersText = workers === 0 ? '' : ` for ${showCount(workers)} workers now`;
  if (maxConnections >= needed)
    return finding('ok', `max_connections is ${showCount(maxConnections)}, enough${workersText}`);
  return finding(
    'warning',
    `max_connections is ${showCount(maxConnections)}; ${showCount(workers)} workers with the usual DB_POOL_SIZE may want ${showCount(needed)}. Raise it, or lower DB_POOL_SIZE`,
  );
}

function durability({ flushAtCommit }: MysqlState): Finding {
  if (flushAtCommit === 1) return finding('ok', 'commits are on disk before they are answered');
  return finding(
    'warning',
    `innodb_flush_log_at_trx_commit is ${flushAtCommit}: a power cut may lose rows of pages that Redis holds for done`,
  );
}
