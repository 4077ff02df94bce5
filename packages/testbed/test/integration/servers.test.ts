import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { spawnDaemon } from '../../src/processes/daemon.js';
import { eventually } from '../../src/processes/eventually.js';
import { isAlive } from '../../src/servers/process-table.js';
import { probeRedis } from '../../src/servers/redis-probe.js';
import { startMysql } from '../../src/servers/mysql-server.js';
import { startRedis } from '../../src/servers/redis-server.js';
import { type Servers, startServers } from '../../src/servers/start-servers.js';

let folder = '';
const owner = fileURLToPath(new URL('fixtures/owner.mjs', import.meta.url));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dist-crawl-servers-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function query(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query(sql);
    return rows;
  } finally {
    await connection.end();
  }
}

const passwordOf = (url: string): string => new URL(url).password;

describe('private servers', () => {
  let servers: Servers;

  beforeAll(async () => {
    servers = await startServers({ directory: join(folder, 'pair'), redis: { persist: true } });
  });

  afterAll(async () => {
    await servers.stop();
  });

  test('answer on loopback, behind a password', async () => {
    expect(servers.redis.url).toContain(`127.0.0.1:${servers.redis.port}`);
    expect(await probeRedis(servers.redis.port, passwordOf(servers.redis.url))).not.toBeNull();
    expect(await probeRedis(servers.redis.port, '')).toBeNull();
    const [variables] = (await query(
      servers.mysql.url,
      'SELECT @@character_set_server AS charset, @@sql_mode AS mode, DATABASE() AS db, @@bind_address AS address',
    )) as Record<string, string>[];
    expect(variables).toMatchObject({ charset: 'utf8mb4', db: 'dist_crawl', address: '127.0.0.1' });
    expect(variables?.['mode']).toContain('STRICT_TRANS_TABLES');
    await expect(createConnection({ host: '127.0.0.1', port: servers.mysql.port, user: 'root' })).rejects.toThrow();
  });

  test('make databases, empty each time', async () => {
    const url = await servers.mysql.createDatabase('one_test');
    await query(url, 'CREATE TABLE t (id INT PRIMARY KEY, name TEXT)');
    await query(url, "INSERT INTO t VALUES (1, '茶🎧')");
    expect(await query(url, 'SELECT name FROM t')).toEqual([{ name: '茶🎧' }]);
    expect(await servers.mysql.createDatabase('one_test')).toBe(url);
    expect(await query(url, 'SHOW TABLES')).toEqual([]);
    await expect(servers.mysql.createDatabase('a`b')).rejects.toThrow(RangeError);
  });

  test('come back with URL and committed data after kill, stop and restart', async () => {
    const url = await servers.mysql.createDatabase('kept');
    await query(url, 'CREATE TABLE t (id INT PRIMARY KEY)');
    await query(url, 'INSERT INTO t VALUES (7)');
    const { pid } = servers.mysql;
    await servers.mysql.kill();
    expect(servers.mysql.pid).toBeNull();
    await expect(query(url, 'SELECT 1')).rejects.toThrow();
    await servers.mysql.restart();
    expect(servers.mysql.pid).not.toBe(pid);
    expect(await query(url, 'SELECT id FROM t')).toEqual([{ id: 7 }]);

    const before = servers.redis.url;
    await servers.redis.stop();
    await servers.redis.stop();
    expect(await probeRedis(servers.redis.port, passwordOf(before))).toBeNull();
    await servers.redis.restart();
    expect(servers.redis.url).toBe(before);
  });

  test('stop when they hang in SIGSTOP', async () => {
    process.kill(servers.redis.pid ?? 0, 'SIGSTOP');
    await servers.redis.restart();
    expect(await probeRedis(servers.redis.port, passwordOf(servers.redis.url))).not.toBeNull();
  });

  test('leave neither process nor data when they stop, and stop twice', async () => {
    const directory = join(folder, 'brief');
    const brief = await startServers({ directory });
    const pids = [brief.redis.pid ?? 0, brief.mysql.pid ?? 0];
    await brief.stop();
    await brief.stop();
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
    expect((await readdir(join(directory, 'mysql'))).toSorted()).toEqual(['init.sql', 'server.log']);
  });

  test('leave given servers alone', async () => {
    const given = await startServers({ redisUrl: servers.redis.url, databaseUrl: servers.mysql.url });
    expect(given.redis.url).toBe(servers.redis.url);
    expect(await given.mysql.createDatabase('given')).toContain('/given');
    await expect(given.redis.kill()).rejects.toThrow('REDIS_URL');
    await given.stop();
    expect(await isAlive(servers.redis.pid ?? 0)).toBe(true);
  });
});

describe('a command that is killed', () => {
  test('takes its servers with it, and what it left does not block the next', async () => {
    const directory = join(folder, 'killed');
    const command = await spawnDaemon({ name: 'owner', entry: owner, args: [directory], guarded: false });
    const line = await command.waitForLine(/^ready/);
    const pids = line.split(' ').slice(1, 3).map(Number);
    expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
    await command.kill(); // the whole process group: no handler of the command can run
    await eventually(async () => !(await Promise.all(pids.map(isAlive))).includes(true), { timeoutMs: 3_000 });

    const next = await startServers({ directory });
    expect(next.mysql.url).not.toBe(line.split(' ')[4]);
    // The guard of the killed one removes what that one left, and nothing of the next.
    await eventually(async () => {
      const names = await readdir(join(directory, 'mysql'));
      return names.filter((name) => name.startsWith('data-')).length === 1;
    });
    await next.mysql.restart();
    await next.stop();
  });

  test('blocks its folder only while it lives', async () => {
    const directory = join(folder, 'owned');
    const command = await spawnDaemon({ name: 'owner', entry: owner, args: [directory] });
    await command.waitForLine(/^ready/);
    await expect(startRedis({ directory: join(directory, 'redis') })).rejects.toThrow(
      `in use by process ${command.pid}`,
    );
    await command.kill();
    const redis = await startRedis({ directory: join(directory, 'redis') });
    await redis.close();
  });
});

describe('starting one server', () => {
  test('passes over leftovers that name a process which is not ours', async () => {
    const directory = join(folder, 'stale');
    await mkdir(join(directory, 'data-0123abcd'), { recursive: true });
    await writeFile(join(directory, 'mysql.sock'), 'stale');
    await writeFile(join(directory, 'mysql.pid'), String(process.pid));
    const record = { pid: process.pid, port: 1, password: 'x', owner: process.pid, container: null };
    await writeFile(join(directory, 'server.json'), JSON.stringify(record));
    const mysql = await startMysql({ directory });
    expect(existsSync(join(directory, 'data-0123abcd'))).toBe(false);
    await mysql.close();
  });

  test('works in a folder whose path is too long for a socket, with blanks in it', async () => {
    const mysql = await startMysql({ directory: join(folder, `a folder ${'x'.repeat(100)}`) });
    expect(existsSync(mysql.socket ?? '')).toBe(true);
    await mysql.close();
    expect(existsSync(mysql.socket ?? '')).toBe(false);
  });

  test('keeps data, port and password of a durable server', async () => {
    const directory = join(folder, 'durable redis');
    const first = await startRedis({ directory, durable: true });
    const { url } = first;
    await first.close();
    const second = await startRedis({ directory, durable: true });
    expect(second.url).toBe(url);
    await second.close();
  });

  test('takes another port when somebody sits on the remembered one', async () => {
    const directory = join(folder, 'moved');
    const first = await startRedis({ directory, durable: true });
    await first.close();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    const second = await startRedis({ directory, durable: true });
    expect(second.port).not.toBe(first.port);
    await second.close();
    squatter.close();
  });

  test('tells the end of the log when the server does not come up', async () => {
    const bad = startRedis({ directory: join(folder, 'bad'), args: ['--no-such-setting', '1'] });
    await expect(bad).rejects.toThrow(/Redis did not start .*no-such-setting/s);
  });

  test('gives up when told to, and leaves nothing running', async () => {
    const directory = join(folder, 'aborted');
    await expect(startMysql({ directory, signal: AbortSignal.timeout(150) })).rejects.toThrow(/timeout|abort/i);
    await eventually(async () => !existsSync(join(directory, 'mysql.pid')));
  });
});
