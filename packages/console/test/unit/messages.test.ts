import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { crawl, makeHome } from '../crawl.js';

let home = '';

beforeAll(async () => {
  // Commands load what they need when they run, which takes seconds on a busy machine: not to be counted to any test.
  await Promise.all([import('../../src/dead/run-redrive.js'), import('../../src/visit/run-try.js')]);
  await Promise.all([import('../../src/shop/run-shop.js'), import('../../src/demo/run-command.js')]);
  home = makeHome({
    'shop.yaml': 'name: shop\nbase: http://127.0.0.1:1\n',
    'broken.yaml': 'name: Broken Shop\nbase: nowhere\npase: { rate: 3 }\n',
  });
  vi.stubEnv('CRAWL_HOME', home);
  vi.stubEnv('SITES_DIR', home);
  vi.stubEnv('REDIS_URL', '');
  vi.stubEnv('DATABASE_URL', '');
});
afterAll(() => vi.unstubAllEnvs());

const plain = (lines: readonly string[]): string => lines.join('\n').replaceAll(home, '<home>');

test.each([
  [[]],
  [['--help']],
  [['status', '--help']],
  [['try', '--help']],
  [['pace', '--help']],
  [['dead', '--help']],
  [['dead', 'redrive', '--help']],
  [['services', '--help']],
  [['shop', '--help']],
  [['demo', '--help']],
])('help: crawl %j', async (args) => {
  const { code, out } = await crawl(args);
  expect(code).toBe(0);
  expect(plain(out)).toMatchSnapshot();
});

test.each([
  [['stauts']],
  [['status', '--wach']],
  [['try']],
  [['pause']],
  [['pace', 'shop', '--rate', 'fast', '--concurrency', '0', '--reset']],
  [['pace', 'shop', '--rate', '2/s', '--reset']],
  [['dead', 'redrive']],
  [['dead', 'redrive', '--all', '--url', 'http://127.0.0.1:1/']],
  [['dead', 'list', '--limit', 'many', '--site', ',']],
  [['try', 'http://127.0.0.1:1/', '--site', 'shp']],
  [['try', 'http://127.0.0.1:1/', '--site', 'missing/site.yaml']],
  [['robots', 'nonsense', '--site', 'shop']],
  [['shop', '--port', '99999', '--fault', 'sloow', '--pages', '0']],
  [['demo', '--stop', '--keep']],
])('error: crawl %j', async (args) => {
  const { code, out, notes } = await crawl(args);
  expect([code, out]).toEqual([78, []]);
  expect(plain(notes)).toMatchSnapshot();
});

test('flags, settings and site files are told in one message', async () => {
  const { code, notes } = await crawl(['status', '--site', 'shop,broken', '--json']);
  expect(code).toBe(78);
  expect(plain(notes)).toMatchSnapshot();
});

test('a literal -- in front, as pnpm hands it on, is accepted', async () => {
  const { code, out } = await crawl(['--', 'status', '--help']);
  expect(code).toBe(0);
  expect(out[0]).toContain('crawl status');
});
