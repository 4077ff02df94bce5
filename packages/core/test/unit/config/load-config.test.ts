import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ConfigSources, loadConfig, loadLocalConfig } from '../../../src/config/load-config.js';
import { describeServer } from '../../../src/config/servers.js';
import type { Role } from '../../../src/config/settings.js';
import { ConfigError, type ConfigProblem } from '../../../src/errors/index.js';
import { folderWith } from './folder.js';

const servers = { REDIS_URL: 'redis://:geheim@r:6379', DATABASE_URL: 'mysql://u:geheim@m/db' };

function problems(role: Role, sources: ConfigSources): readonly ConfigProblem[] {
  try {
    loadConfig(role, sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  test('gives every default when only the servers are set', () => {
    const home = folderWith();
    expect(loadConfig('consumer', { env: { ...servers, NODE_TAG: 'n1', PROCESS_NUM: '2' }, home })).toEqual({
      role: 'consumer',
      home,
      sitesDir: join(home, 'sites'),
      logLevel: 'info',
      nodeTag: 'n1',
      maxFailures: 5,
      crawlerContact: undefined,
      healthHost: '127.0.0.1',
      healthPort: undefined,
      drainDeadlineMs: 20_000,
      processNum: 2,
      concurrency: 16,
      dbPoolSize: 4,
      taskDeadlineMs: 60_000,
      watchdogSilenceMs: 30_000,
      redis: { url: servers.REDIS_URL, source: 'environment' },
      database: { url: servers.DATABASE_URL, source: 'environment' },
    });
  });

  test('the machine gives node tag and number of processes', () => {
    const config = loadConfig('consumer', { env: servers, home: folderWith() });
    expect(config.nodeTag).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/u);
    expect(config.processNum).toBeGreaterThan(0);
  });

  test('the real environment wins over .env, and an empty value counts as not set', () => {
    const home = folderWith({ '.env': 'MAX_FAILURES=7\nCONCURRENCY=8\nHEALTH_PORT=\nDB_POOL_SIZE=9\n' });
    const config = loadConfig('consumer', { env: { ...servers, MAX_FAILURES: '3', CONCURRENCY: ' ' }, home });
    expect(config).toMatchObject({ maxFailures: 3, concurrency: 8, healthPort: undefined, dbPoolSize: 9 });
  });

  test('tells every problem at once, each with its place, and shows no secret', () => {
    const home = folderWith({ '.env': '# mine\nPROCESS_NUM=x\n\nTASK_DEADLINE=60\n' });
    const env = { REDIS_URL: 'http://:geheim@r', DATABASE_URL: 'geheim', MAX_FAILURES: '0', LOG_LEVEL: 'loud' };
    const found = problems('consumer', { env, home });
    expect(found.map(({ where, what }) => `${where}: ${what}`).toSorted()).toEqual([
      'DATABASE_URL in the environment: not a URL',
      "LOG_LEVEL in the environment: 'loud' is none of them",
      'MAX_FAILURES in the environment: 0 is out of range',
      "PROCESS_NUM in .env:2: 'x' is not a whole number",
      'REDIS_URL in the environment: http:// is not redis:// or rediss://',
      "TASK_DEADLINE in .env:4: '60' has no unit",
    ]);
    expect(JSON.stringify(found)).not.toContain('geheim');
  });

  test("a role ignores what only others read, and tells the flags' problems with its own", () => {
    const flagProblem = { where: '--pages', what: 'no value', expected: '--pages <ranges>' };
    const env = { ...servers, PROCESS_NUM: 'x', ENQUEUE_BATCH: 'y' };
    const found = problems('producer', { env, home: folderWith(), flags: { problems: [flagProblem] } });
    expect(found.map(({ where }) => where)).toEqual(['--pages', 'ENQUEUE_BATCH in the environment']);
  });

  test('a caller with a cron library refuses what only looks like a cron expression', () => {
    const sources = { env: { ...servers, RETRY_CRON: '99 * * * *' }, home: folderWith() };
    expect(problems('retry-scheduler', sources)).toEqual([]);
    expect(problems('retry-scheduler', { ...sources, isCron: (text) => !text.startsWith('99') })).toEqual([
      expect.objectContaining({
        where: 'RETRY_CRON in the environment',
        what: "'99 * * * *' is not a cron expression",
      }),
    ]);
  });

  test('a mistyped name in .env is a problem with the right one; names of other programs are let be', () => {
    const home = folderWith({ '.env': 'PROCES_NUM=4\nMYSQL_ROOT_PASSWORD=a\nredis_url=redis://h\n' });
    expect(problems('producer', { env: servers, home })).toEqual([
      { where: 'PROCES_NUM in .env:1', what: 'unknown name', expected: 'PROCESS_NUM' },
      { where: 'redis_url in .env:3', what: 'unknown name', expected: 'REDIS_URL' },
    ]);
  });

  test('a contact must be reachable', () => {
    const home = folderWith();
    const found = ['https://x.test/bot', 'me@x.test', 'mailto:me@x.test', 'me', 'a b@c'].map(
      (CRAWLER_CONTACT) => problems('producer', { env: { ...servers, CRAWLER_CONTACT }, home }).length,
    );
    expect(found).toEqual([0, 0, 0, 1, 1]);
  });
});

describe('private servers', () => {
  const running = { redisUrl: 'redis://127.0.0.1:7001', databaseUrl: 'mysql://root:pw@127.0.0.1:7002/dist_crawl' };

  test('stand in for what is not set, and the config says so', () => {
    const home = folderWith({ '.local/services.json': JSON.stringify({ ...running, pid: 1 }) });
    const { redis, database } = loadConfig('producer', { env: { REDIS_URL: 'redis://r' }, home });
    expect(redis).toEqual({ url: 'redis://r', source: 'environment' });
    expect(database).toEqual({ url: running.databaseUrl, source: 'private servers' });
    expect(describeServer(database)).toBe('mysql://root:***@127.0.0.1:7002/dist_crawl (private servers)');
  });

  test('when none run, the three ways are named', () => {
    const found = problems('producer', { env: {}, home: folderWith() });
    expect(found.map(({ where }) => where)).toEqual(['REDIS_URL', 'DATABASE_URL']);
    expect(found[0]?.what).toBe('not set, and no private servers run');
    expect(found[0]?.expected).toMatch(/^redis:.* in \.env, or `pnpm crawl services start`, or `docker compose up`$/u);
  });

  test('a damaged file is one problem; with both URLs set nobody reads it', () => {
    const home = folderWith({ '.local/services.json': '{' });
    expect(problems('producer', { env: {}, home })).toEqual([
      expect.objectContaining({ where: join(home, '.local/services.json'), what: 'damaged' }),
    ]);
    expect(problems('producer', { env: servers, home })).toEqual([]);
  });
});

test('commands without servers need no URL', () => {
  expect(loadLocalConfig('console', { env: {}, home: folderWith() })).toMatchObject({
    role: 'console',
    maxFailures: 5,
  });
});
