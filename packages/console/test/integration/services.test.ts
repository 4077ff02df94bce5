import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { crawl, makeHome } from '../crawl.js';

let home = '';

beforeAll(() => {
  home = makeHome({ 'shop.yaml': 'name: shop\nbase: http://shop.example\n' });
  vi.stubEnv('CRAWL_HOME', home);
  vi.stubEnv('SITES_DIR', home);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('DATABASE_URL', '');
});
afterAll(async () => {
  await crawl(['services', 'stop']);
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('private servers are found by other commands while they run, and tell no password', async () => {
  expect((await crawl(['services', 'status'])).code).toBe(1);
  const started = await crawl(['services', 'start']);
  expect(started.code).toBe(0);
  expect(started.out.join('\n')).toMatch(/Redis +redis:\/\/default:\*\*\*@127\.0\.0\.1:\d+, process \d+/u);
  const running = await crawl(['services', 'status', '--json']);
  expect(running.code).toBe(0);
  expect(JSON.parse(running.out[0] ?? '')).toMatchObject({ redis: { running: true }, mysql: { running: true } });
  expect((await crawl(['status'])).out.join('\n')).toContain('nothing was queued yet');
  expect((await crawl(['dead', 'list'])).out).toEqual(['No dead URLs.']);

  expect((await crawl(['services', 'stop'])).out).toEqual(['Redis and MySQL are stopped; their data are kept.']);
  expect((await crawl(['services', 'stop'])).out).toEqual(['Neither ran.']);
  const refused = await crawl(['status']);
  expect(refused.code).toBe(78);
  expect(refused.notes.join('\n')).toContain('no private servers run');
});
