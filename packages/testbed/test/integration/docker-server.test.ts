import { chmod, copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { dockerRuns, startRedisContainer } from '../../src/servers/docker-server.js';
import { probeRedis } from '../../src/servers/redis-probe.js';

// There is no Docker engine where these tests run: a script in its place shows what the engine would be asked.
let folder = '';
const path = process.env['PATH'] ?? '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dist-crawl-docker-'));
  await copyFile(fileURLToPath(new URL('fixtures/fake-docker.sh', import.meta.url)), join(folder, 'docker'));
  await chmod(join(folder, 'docker'), 0o755);
  process.env['PATH'] = `${folder}:${path}`;
  process.env['FAKE_DOCKER'] = folder;
});

afterAll(async () => {
  process.env['PATH'] = path;
  delete process.env['FAKE_DOCKER'];
  await rm(folder, { recursive: true, force: true });
});

test('a Redis container is published on loopback alone, its password out of sight, and is removed', async () => {
  expect(await dockerRuns()).toBe(true);
  const told: string[] = [];
  const directory = join(folder, 'redis');
  const redis = await startRedisContainer({ directory, log: (line) => told.push(line) });
  const { password } = new URL(redis.url);
  expect(await probeRedis(redis.port, password)).not.toBeNull();
  expect(redis).toMatchObject({ origin: 'docker', pid: null });
  expect(told.join('\n')).toContain('redis:8');

  const calls = await readFile(join(folder, 'calls'), 'utf8');
  expect(calls).toMatch(
    new RegExp(`run -d --name dist-crawl-redis-[0-9a-f]{12} .*-p 127\\.0\\.0\\.1:${redis.port}:6379 redis:8`),
  );
  expect(calls).not.toContain(password);
  expect(await readdir(directory)).toEqual(['server.json']);

  await redis.close();
  expect(await probeRedis(redis.port, password)).toBeNull();
  expect(await readFile(join(folder, 'calls'), 'utf8')).toMatch(/rm -f -v dist-crawl-redis-[0-9a-f]{12}\n$/);
});
