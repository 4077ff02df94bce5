import { expect, test } from 'vitest';
import { judgeMysql, type MysqlState } from '../../src/doctor/check-mysql.js';
import { judgeRedis, parseInfo } from '../../src/doctor/check-redis.js';
import { judgeAudit } from '../../src/doctor/check-site.js';
import type { Finding } from '../../src/doctor/finding.js';
import { showFindings } from '../../src/doctor/show-findings.js';

const GOOD_REDIS = {
  redis_version: '7.2.4',
  role: 'master',
  maxmemory: '0',
  maxmemory_policy: 'noeviction',
  aof_enabled: '1',
};
const levels = (findings: readonly Finding[]): string[] => findings.map(({ level }) => level);
const redis = (changes: Record<string, string> = {}): Finding[] =>
  judgeRedis(new Map(Object.entries({ ...GOOD_REDIS, ...changes })));

const GOOD_MYSQL: MysqlState = {
  version: '10.11.6-MariaDB-0+deb12u1',
  maxConnections: 151,
  flushAtCommit: 1,
  tables: ['goods', 'pages', 'dead_urls', 'rejected_rows', 'migrations'].map((name) => `dist_crawl_${name}`),
};
const mysql = (changes: Partial<MysqlState> = {}, workers = 4): Finding[] =>
  judgeMysql({ ...GOOD_MYSQL, ...changes }, workers);

test('INFO of Redis is read line by line', () => {
  expect(parseInfo('# Server\r\nredis_version:7.0.15\r\n\r\n# Memory\r\nmaxmemory:0\r\n')).toEqual(
    new Map([
      ['redis_version', '7.0.15'],
      ['maxmemory', '0'],
    ]),
  );
});

test('a Redis as it should be', () => {
  expect(levels(redis())).toEqual(['ok', 'ok', 'ok']);
});

test('what endangers a crawl in Redis', () => {
  expect(redis({ maxmemory: '1000000', maxmemory_policy: 'allkeys-lru' })[1]?.level).toBe('violated');
  expect(redis({ maxmemory_policy: 'allkeys-lru' })[1]?.level).toBe('ok');
  expect(redis({ aof_enabled: '0' })[2]?.level).toBe('warning');
  expect(redis({ redis_version: '6.0.16' })[0]?.level).toBe('violated');
  expect(redis({ redis_version: '6.2.0' })[0]?.level).toBe('ok');
  expect(redis({ role: 'slave' })[1]?.what).toContain('replica');
  expect(redis({ maxmemory: '1000', used_memory: '950' }).map(({ what }) => what)).toContain(
    '95 % of maxmemory is used: when it is full nothing more can be queued',
  );
});

test('a MySQL as it should be, of either make', () => {
  expect(levels(mysql())).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(mysql({ version: '8.4.3' })[0]).toMatchObject({ level: 'ok', what: 'MySQL 8.4.3' });
});

test('what endangers a crawl in MySQL', () => {
  expect(mysql({ version: '10.5.1-MariaDB' })[0]?.level).toBe('violated');
  expect(mysql({ version: '5.7.44' })[0]?.level).toBe('violated');
  expect(mysql({ tables: [] })[1]?.what).toBe('there are no tables: starting a consumer creates them');
  expect(mysql({ tables: GOOD_MYSQL.tables.slice(1) })[1]?.what).toContain('dist_crawl_goods missing');
  expect(mysql({}, 40)[2]).toMatchObject({ level: 'warning', what: expect.stringContaining('may want 170') });
  expect(mysql({ flushAtCommit: 2 })[3]?.level).toBe('warning');
});

test('violations are counted and some of them shown', () => {
  const violations = Array.from({ length: 12 }, (_, n) => ({
    url: `http://shop.example/${n}`,
    invariant: 1 as const,
    what: 'waiting, but not pending',
  }));
  const finding = judgeAudit('demo-shop', { checked: 40, violations });
  expect(
    showFindings([{ level: 'ok', subject: 'Redis', what: 'version 7.2.4' }, finding], 80).join('\n'),
  ).toMatchSnapshot();
});
