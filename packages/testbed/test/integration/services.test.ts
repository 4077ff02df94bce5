import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { servicesStatus, startServices, stopServices } from '../../src/services/services.js';

let local = '';

beforeAll(async () => {
  local = await mkdtemp(join(tmpdir(), 'dist-crawl-services-'));
});

afterAll(async () => {
  await stopServices({ local });
  await rm(local, { recursive: true, force: true, maxRetries: 5 });
});

test('services start once, survive a crash of one, keep their URLs, and stop', async () => {
  expect((await servicesStatus({ local })).redis).toEqual({ running: false, url: null, pid: null });

  const [first, same] = await Promise.all([startServices({ local }), startServices({ local })]);
  expect(same).toEqual(first);
  expect(first.redis.running && first.mysql.running).toBe(true);
  const file = JSON.parse(await readFile(join(local, 'services.json'), 'utf8')) as unknown;
  expect(file).toEqual({
    redisUrl: first.redis.url,
    databaseUrl: first.mysql.url,
    redisPid: first.redis.pid,
    mysqlPid: first.mysql.pid,
    startedAt: first.startedAt,
  });
  expect((await stat(join(local, 'services.json'))).mode & 0o777).toBe(0o600);

  process.kill(first.redis.pid ?? 0, 'SIGKILL');
  const mended = await startServices({ local });
  expect(mended.redis.url).toBe(first.redis.url);
  expect(mended.redis.pid).not.toBe(first.redis.pid);
  expect(mended.mysql).toEqual(first.mysql);

  expect(await stopServices({ local })).toBe(true);
  expect(await stopServices({ local })).toBe(false);
  expect((await servicesStatus({ local })).mysql).toEqual({ running: false, url: first.mysql.url, pid: null });

  const again = await startServices({ local });
  expect([again.redis.url, again.mysql.url]).toEqual([first.redis.url, first.mysql.url]);
});
