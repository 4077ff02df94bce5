import { rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseDatabaseUrl } from '@dist-crawl/core/db';
import { siteKeys } from '@dist-crawl/core/redis';
import type { Servers } from '@dist-crawl/testbed';
import type { DemoFolders } from './folders.js';
import { stopRunning } from './running.js';

/** Writes the addresses as shell lines. They hold the passwords: only the owner may read the file. */
export async function writeEnvFile(
  { envFile, sites }: DemoFolders,
  { redisUrl, databaseUrl }: { redisUrl: string; databaseUrl: string },
): Promise<void> {
  const { password } = parseDatabaseUrl(databaseUrl);
  const values = { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl, SITES_DIR: sites, MYSQL_PWD: password };
  const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  await writeFile(envFile, lines.join(''), { mode: 0o600 });
}

/** How to look at a demo that was left running, and how to end it. */
export function showHowToLook(
  { envFile, logs }: DemoFolders,
  { mysql }: Servers,
  { namespace, pages }: { namespace: string; pages: number },
): string[] {
  const { host, port, user, database } = parseDatabaseUrl(mysql.url);
  const keys = siteKeys(namespace);
  const container = mysql.origin === 'docker';
  return [
    'Everything runs on in the background. To look at it, first let the shell know where it is:',
    '',
    `  . ${relative(process.cwd(), envFile)}`,
    '',
    `  redis-cli -u "$REDIS_URL" LLEN ${keys.taskQueue}`,
    `  redis-cli -u "$REDIS_URL" SCARD ${keys.doneUrlSet}`,
    `  redis-cli -u "$REDIS_URL" ZRANGE ${keys.failUrlZset} 0 -1 WITHSCORES`,
    `  mysql -h ${host} -P ${port} -u ${user} ${database} \\`,
    "    -e 'SELECT goods_name, price, source_node FROM dist_crawl_goods LIMIT 5'",
    '  pnpm crawl status --watch',
    `  pnpm --filter producer start -- --pages 1-${pages} --fresh`,
    '',
    `Logs: ${logs}`,
    'To stop it all: pnpm crawl demo --stop',
    ...(container ? ['(the containers of Redis and MySQL: docker rm -f, see docker ps)'] : []),
  ];
}

/** Stops what runs on and removes its data; the logs stay. Gives the names of what ran. */
export async function stopDemo({ demo, recordFile, envFile }: DemoFolders): Promise<string[]> {
  const stopped = await stopRunning(recordFile);
  if (stopped.length === 0) return stopped;
  for (const path of [join(demo, 'redis'), join(demo, 'mysql'), envFile])
    await rm(path, { recursive: true, force: true });
  return stopped;
}

function quote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
