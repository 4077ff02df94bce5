import { describe, expect, it, test } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.js';
import { describeRedis } from '../../../src/config/redis-target.js';
import { describeServer } from '../../../src/config/servers.js';
import { ConfigError, type ConfigProblem } from '../../../src/errors/index.js';
import { folderWith } from './folder.js';

const DATABASE_URL = 'mysql://u:geheim@m/db';
const redisOf = (env: Record<string, string>, file = '') =>
  loadConfig('producer', { env: { DATABASE_URL, ...env }, home: folderWith({ '.env': file }) }).redis;

function problems(env: Record<string, string>, file = ''): readonly ConfigProblem[] {
  try {
    redisOf(env, file);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('REDIS_SENTINELS', () => {
  const hosts = [
    { host: '10.0.0.1', port: 26_379 },
    { host: 'b', port: 7000 },
  ];
  const plain = { sentinels: hosts, master: 'mymaster', database: 0, tls: false, source: 'environment' };

  test.each([
    ['10.0.0.1,b:7000', {}],
    ['10.0.0.1:26379, b:7000/shop', { master: 'shop' }],
    ['redis://10.0.0.1,b:7000/shop/3', { master: 'shop', database: 3 }],
    [
      'rediss://crawl:ge%40heim@10.0.0.1,b:7000/shop',
      { master: 'shop', tls: true, username: 'crawl', password: 'ge@heim' },
    ],
    [':geheim@10.0.0.1,b:7000', { password: 'geheim' }],
    ['[fe80::1]:26380', { sentinels: [{ host: 'fe80::1', port: 26_380 }] }],
  ])('%s', (written, expected) => {
    expect(redisOf({ REDIS_SENTINELS: written })).toEqual({ ...plain, ...expected });
  });

  test('the password of the sentinels is one of its own', () => {
    const redis = redisOf({ REDIS_SENTINELS: 'a', REDIS_SENTINEL_PASSWORD: 'geheim' });
    expect(redis).toMatchObject({ sentinelPassword: 'geheim' });
    expect(describeServer(redis)).toBe('mymaster of sentinels a:26379 (environment)');
  });
});

describe('REDIS_CLUSTER', () => {
  it('names some nodes, with user, password and TLS for all of them', () => {
    const redis = redisOf({ REDIS_CLUSTER: 'rediss://crawl:geheim@a:7000,b' });
    const nodes = [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
    ];
    expect(redis).toEqual({ cluster: nodes, username: 'crawl', password: 'geheim', tls: true, source: 'environment' });
    expect(describeRedis(redis)).toBe('cluster a:7000,b:6379 (TLS)');
  });
});

describe('what is wrong is told, without secrets', () => {
  test.each([
    ['REDIS_SENTINELS', 'shop@a:26379', /no : between user and password .*name of a master stands behind the hosts/u],
    ['REDIS_SENTINELS', 'a,,b', /an empty place/u],
    ['REDIS_SENTINELS', 'a:x/shop', /'a:x' is not host:port/u],
    ['REDIS_SENTINELS', 'a:70000', /70000 is not a port/u],
    ['REDIS_SENTINELS', 'a/shop/first', /database 'first' is not a number/u],
    ['REDIS_SENTINELS', 'http://:geheim@a', /http:\/\/ is not redis:\/\/ or rediss:\/\//u],
    ['REDIS_SENTINELS', ':geheim%@a', /a % in user or password/u],
    ['REDIS_CLUSTER', 'a:7000/3', /a cluster has no databases/u],
    ['REDIS_CLUSTER', ':geheim@a:7000,b 7001', /'b 7001' is not host:port/u],
  ])('%s=%s', (name, written, what) => {
    const found = problems({ [name]: written });
    expect(found).toEqual([
      {
        where: `${name} in the environment`,
        what: expect.stringMatching(what) as string,
        expected: expect.any(String) as string,
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('geheim');
  });
});

describe('one of the three', () => {
  test('several are a problem for each one beside the first', () => {
    const found = problems({}, 'REDIS_URL=redis://r\nREDIS_CLUSTER=a\nREDIS_SENTINELS=b\n');
    expect(found.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      'REDIS_SENTINELS in .env:3: REDIS_SENTINELS beside REDIS_URL',
      'REDIS_CLUSTER in .env:2: REDIS_CLUSTER beside REDIS_URL',
    ]);
  });

  test('one in the real environment wins over all of .env', () => {
    expect(redisOf({ REDIS_URL: 'redis://r' }, 'REDIS_CLUSTER=a\n')).toEqual({
      url: 'redis://r',
      source: 'environment',
    });
    expect(redisOf({ REDIS_CLUSTER: 'a' }, 'REDIS_URL=redis://r\n')).toMatchObject({ cluster: [{ host: 'a' }] });
  });
});
