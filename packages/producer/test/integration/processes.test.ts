import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { archiveBatch, migrate, openDatabase, savePages } from '@dist-crawl/core/db';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import { connectRedis } from '@dist-crawl/core/redis';
import { loadSiteFile } from '@dist-crawl/core/sites';
import { createDatabase, type Daemon, eventually, freePort, spawnDaemon } from '@dist-crawl/testbed';

const entry = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const redis = connectRedis({ url: inject('redisUrl'), name: 'test' });
let home: string;
let env: Record<string, string>;
let frontier: Frontier;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dist-crawl-producer-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'sites'));
  const site = join(home, 'sites', 'shop.yaml');
  const namespace = `test:producer:${randomBytes(6).toString('hex')}`;
  writeFileSync(site, `name: shop\nnamespace: ${namespace}\nbase: http://shop.test\npages: /list?page={page}\n`);
  frontier = openFrontier(redis, loadSiteFile(site).site);
  env = { PATH: '/usr/bin:/bin', REDIS_URL: inject('redisUrl'), DATABASE_URL: 'mysql://127.0.0.1:1/never-asked' };
});

afterAll(() => redis.disconnect());

/** A producer as a user starts it in the project's root. It ends with the test at the latest. */
async function produce(args: readonly string[], changes: Record<string, string> = {}): Promise<Daemon> {
  const daemon = await spawnDaemon({ name: 'producer', entry, args, cwd: home, env: { ...env, ...changes } });
  onTestFinished(async () => {
    await daemon.kill();
  });
  return daemon;
}

const queueLength = () => redis.llen(frontier.keys.taskQueue);
const said = (daemon: Daemon) => daemon.lines().join('\n');

describe('a producer', () => {
  test('queues its pages, says so, and ends', async () => {
    const producer = await produce(['--', '--pages', '1-200']);
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    expect(said(producer)).toContain('shop, pages 1-200: 200 queued, 0 already waiting, 0 already done, 0 dead');
    expect(await queueLength()).toBe(200);
  });

  test('beside others over the same pages queues each page once', async () => {
    const args = [['1-3000'], ['2000-5000'], ['1-5000', '--shard', '1/2'], ['1-5000', '--shard', '2/2']];
    const producers = await Promise.all(args.map((each) => produce(['--pages', ...each])));
    for (const producer of producers) expect(await producer.exited).toEqual({ code: 0, signal: null });
    const queued = await redis.lrange(frontier.keys.taskQueue, 0, -1);
    expect(queued).toHaveLength(5000);
    expect(new Set(queued).size).toBe(5000);
  });

  test('told to stop in mid round ends the round, says how far it came, and exits with 0', async () => {
    const producer = await produce(['--pages', '1-50000000'], { QUEUE_HIGH_WATER: '100000000' });
    await eventually(async () => (await queueLength()) > 2000);
    producer.signal('SIGTERM');
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    const queued = await queueLength();
    const far = `stopped after ${queued} of 50000000 (the last: http://shop.test/list?page=${queued}): ${queued} queued`;
    expect(said(producer)).toContain(far);
    expect(await frontier.census()).toMatchObject({ rounds: 0, waiting: queued, pending: queued });
  });

  test('told to stop while it waits for a full queue ends at once', async () => {
    const producer = await produce(['--pages', '1-1000'], { QUEUE_HIGH_WATER: '300' });
    await producer.waitForLine(/waits for the queue to fall below 300 URLs/u);
    producer.signal('SIGINT');
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    expect(said(producer)).toContain('stopped after 300 of 1000');
    expect((await frontier.census()).rounds).toBe(0);
  });

  test('goes on when its connections are cut', async () => {
    const producer = await produce(['--pages', '1-100000'], { QUEUE_HIGH_WATER: '1000000' });
    let cut = 0;
    while (producer.exit() === null) {
      for (const line of String(await redis.client('LIST')).split('\n')) {
        const id = /^id=(\d+) .* name=dist-crawl:producer /u.exec(line)?.[1];
        if (id !== undefined && cut < 5 && (await queueLength()) > cut * 15_000) {
          await redis.client('KILL', 'ID', id);
          cut += 1;
        }
      }
    }
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    expect(cut).toBeGreaterThan(0);
    expect(await queueLength()).toBe(100_000);
  });

  test('with wrong flags does nothing and exits with 78', async () => {
    const producer = await produce(['--pages', '5-1', '--shard', '3/2', '--site', 'shpo']);
    expect(await producer.exited).toEqual({ code: 78, signal: null });
    expect(said(producer)).toContain('3 settings are wrong; nothing was started.');
    expect(said(producer)).toContain("--pages: '5-1' runs backwards");
    expect(said(producer)).toContain("--shard: '3/2' is no shard");
    expect(said(producer)).toContain('no site is called shpo (did you mean shop?)');
  });

  test('with --every starts a round at each tick, reads its list anew, and stays until it is told to stop', async () => {
    const list = join(home, 'urls.txt');
    writeFileSync(list, 'http://shop.test/a\nhttp://other.test/\n');
    const port = String(await freePort());
    const producer = await produce(['--urls', 'urls.txt', '--every', '* * * * * *'], { HEALTH_PORT: port });
    await eventually(async () => (await queueLength()) === 1);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    appendFileSync(list, 'http://shop.test/b\n');
    await eventually(async () => (await queueLength()) === 2);
    rmSync(list);
    await producer.waitForLine(/the round failed; the next tick tries again/u);
    writeFileSync(list, 'http://shop.test/c\n');
    await eventually(async () => (await queueLength()) === 3);
    expect(said(producer)).toContain(String.raw`1 out of scope, not queued: line 2: \"http://other.test/\"`);
    producer.signal('SIGTERM');
    expect(await producer.exited).toEqual({ code: 0, signal: null });
  });

  test('with --skip-archived takes what the archive has for done', async () => {
    const name = `producer_${randomBytes(4).toString('hex')}`;
    const url = await createDatabase(inject('databaseUrl'), name);
    const database = openDatabase({ url, poolSize: 1 });
    onTestFinished(async () => {
      await database.close();
    });
    await migrate(database);
    const page = {
      site: 'shop',
      kind: 'list',
      outcome: 'ok',
      status: 200,
      bytes: 1,
      contentHash: null,
      node: 'n',
      goods: [],
    };
    const crawled = [2, 3].map((number) => `http://shop.test/list?page=${number}`);
    await savePages(
      database,
      crawled.map((each) => ({ ...page, url: each, finalUrl: null, crawlTime: new Date('2020-01-01') })),
    );
    await archiveBatch(database, 'shop', new Date(), 10);
    const producer = await produce(['--pages', '1-5', '--skip-archived'], { DATABASE_URL: url });
    expect(await producer.exited).toEqual({ code: 0, signal: null });
    expect(said(producer)).toContain(
      'shop, pages 1-5: 3 queued, 0 already waiting, 0 already done, 0 dead, 2 archived',
    );
  });
});

describe('a dry run', () => {
  const run = promisify(execFile);

  test('prints the URLs and nothing else to stdout, and needs no server', async () => {
    const { stdout, stderr } = await run(process.execPath, [entry, '--dry-run', '--pages', '1-3'], {
      cwd: home,
      env: {},
    });
    expect(stdout).toBe([1, 2, 3].map((page) => `http://shop.test/list?page=${page}\n`).join(''));
    expect(stderr).toContain('3 URLs, nothing queued (dry run)');
  });

  test('finds files from where the user stood, when a package script starts it elsewhere', async () => {
    writeFileSync(join(home, 'urls.txt'), '# a list\nhttp://shop.test/9\n');
    const cwd = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '');
    const args = [entry, '--', '--dry-run', '--site', 'sites/shop.yaml', '--urls', 'urls.txt'];
    const { stdout } = await run(process.execPath, args, { cwd, env: { INIT_CWD: home, PNPM_SCRIPT_SRC_DIR: cwd } });
    expect(stdout).toBe('http://shop.test/9\n');
  });

  test('ends quietly when its reader has seen enough', async () => {
    const command = `"${process.execPath}" "${entry}" --dry-run --pages 1-100000000 | head -n 2; echo $?`;
    const { stdout, stderr } = await run('/bin/bash', ['--norc', '-o', 'pipefail', '-c', command], { cwd: home, env });
    expect(stdout).toBe('http://shop.test/list?page=1\nhttp://shop.test/list?page=2\n0\n');
    expect(stderr).toBe('');
  });

  test('reads URLs from stdin as they come', async () => {
    const child = spawn(process.execPath, [entry, '--dry-run', '--urls', '-'], { cwd: home, env: {} });
    let stdout = '';
    child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
    for (let number = 1; number <= 3; number++)
      child.stdin.write(`# no. ${number}\nHTTP://Shop.test:80/${number}#x\n\n`);
    child.stdin.end();
    await eventually(() => child.exitCode === 0);
    expect(stdout).toBe('http://shop.test/1\nhttp://shop.test/2\nhttp://shop.test/3\n');
  });
});
