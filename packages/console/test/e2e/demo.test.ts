import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Daemon, eventually, spawnDaemon } from '@dist-crawl/testbed';
import { afterAll, afterEach, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const HOME = mkdtempSync(join(tmpdir(), 'crawl-demo-'));
const FOLDER = join(HOME, '.local', 'demo');
const WAIT_MS = 120_000;
let demo: Daemon | undefined;

afterEach(async () => {
  await demo?.kill();
});
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): Listed[] {
  return execFileSync('ps', ['-ww', '-e', '-o', 'pid=,ppid=,command='], { encoding: 'utf8', maxBuffer: 10_000_000 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/u.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
}

async function startDemo(...args: string[]): Promise<Daemon> {
  demo = await spawnDaemon({ name: 'demo', entry: MAIN, args: ['demo', ...args], env: demoEnv() });
  return demo;
}

/** A folder of its own, so that a demo that somebody runs beside the tests is left alone; and no servers but private ones. */
function demoEnv(): NodeJS.ProcessEnv {
  const { REDIS_URL: _redis, DATABASE_URL: _database, ...env } = process.env;
  return { ...env, CRAWL_HOME: HOME };
}

/** The daemons that a demo has started itself. */
const childrenOf = ({ pid }: Daemon, name: string): number[] =>
  processes().flatMap((each) =>
    each.parent === pid && each.command.includes(join('packages', name, 'dist', 'main.js')) ? [each.pid] : [],
  );

async function expectNothingLeft(pids: readonly number[]): Promise<void> {
  await eventually(
    () => {
      const left = processes().filter(({ pid, command }) => pids.includes(pid) || command.includes(`${FOLDER}/`));
      return left.length === 0;
    },
    { timeoutMs: 20_000 },
  );
}

test('the demo crawls every page once, sums up and stops all that it started', async () => {
  const running = await startDemo('--pages', '30');
  const { code } = await running.exited;
  const text = running.lines().join('\n');
  expect(text).toContain('30 done');
  expect(text).toContain('720 rows, 0 duplicate rows');
  expect(text).toMatch(/node-1 \d+ pages? .*node-2 \d+ pages?/u);
  expect(text).toMatch(/queued \d+, in flight \d+, done \d+, failed \d+, dead \d+, .* pages\/s/u);
  expect(text).toContain('Everything that was started is stopped.');
  expect(code).toBe(0);
  await expectNothingLeft([]);
});

test('Ctrl-C in mid crawl stops all that was started', async () => {
  const running = await startDemo('--pages', '5000');
  await running.waitForLine(/done [1-9]/u, WAIT_MS);
  const children = ['console', 'producer', 'consumer', 'retry-scheduler'].flatMap((name) => childrenOf(running, name));
  expect(children.length).toBeGreaterThanOrEqual(4);
  running.signal('SIGINT');
  expect(await running.exited).toEqual({ code: 130, signal: null });
  expect(running.lines().join('\n')).toContain('Everything that was started is stopped.');
  await expectNothingLeft(children);
});

test('a daemon that dies ends the demo with its last words', async () => {
  const running = await startDemo('--pages', '5000');
  await running.waitForLine(/done [1-9]/u, WAIT_MS);
  const [consumer] = childrenOf(running, 'consumer');
  expect(consumer).toBeDefined();
  if (consumer !== undefined) process.kill(consumer, 'SIGKILL');
  expect((await running.exited).code).toBe(1);
  const text = running.lines().join('\n');
  expect(text).toMatch(/consumer-node-[12] ended by SIGKILL, before the crawl was finished\. The end of .*\.log:/u);
  expect(text).not.toContain('    at ');
  await expectNothingLeft([]);
});

test('--keep leaves it running, and --stop ends it', async () => {
  const running = await startDemo('--pages', '10', '--keep');
  const { code } = await running.exited;
  expect(code, running.lines().join('\n')).toBe(0);
  expect(running.lines().join('\n')).toContain('To stop it all: pnpm crawl demo --stop');
  const kept = processes().filter(({ command }) => command.includes(`${FOLDER}/`));
  expect(kept.length).toBeGreaterThanOrEqual(2);
  const look = `. '${join(FOLDER, 'env.sh')}' && '${process.execPath}' '${MAIN}' status --json`;
  const { sites } = JSON.parse(execFileSync('sh', ['-c', look], { encoding: 'utf8', env: demoEnv() })) as {
    sites: unknown[];
  };
  expect(sites).toMatchObject([{ site: 'demo-shop', done: 10, nodes: [{ tag: 'node-1' }, { tag: 'node-2' }] }]);
  const stopped = execFileSync(process.execPath, [MAIN, 'demo', '--stop'], { encoding: 'utf8', env: demoEnv() });
  expect(stopped).toContain('consumer-node-1');
  await expectNothingLeft(kept.map(({ pid }) => pid));
  expect(existsSync(join(FOLDER, 'running.json'))).toBe(false);
});
