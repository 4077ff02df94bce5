import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@dist-crawl/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * README's commands as a new user runs them: in a copy of the checkout without node_modules, with a PATH that holds Node
 * and npm and the system, but no pnpm.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
let folder: string;
let checkout: string;
let env: Record<string, string>;
const running: ChildProcess[] = [];

/** The commands in README's fenced shell blocks, without comments. */
const commands = readFileSync(join(root, 'README.md'), 'utf8')
  .split('```sh\n')
  .slice(1)
  .flatMap((block) => (block.split('```')[0] ?? '').split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => line !== '');

/** What is not run here, and why. */
const left = new Map([
  ['npm test', 'these are the tests'],
  ['docker compose up -d', 'needs a Docker engine; the file is parsed by another test'],
  ['pnpm --filter producer start -- --site my-shop --pages 1-50', 'an example of a shop that does not exist'],
  ["pnpm crawl try 'https://shop.example.com/list?page=1' --site my-shop", 'an example of a shop that does not exist'],
]);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dist-crawl-readme-'));
  checkout = join(folder, 'dist-crawl');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true });
    cpSync(join(root, file), join(checkout, file), { verbatimSymlinks: true });
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['node', 'npm', 'npx']) symlinkSync(join(dirname(process.execPath), name), join(bin, name));
  const system = ['/usr/local/sbin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  const path = [bin, join(folder, 'global/bin'), ...system.filter((part) => !existsSync(join(part, 'pnpm')))];
  // How this machine reaches the registry is none of README's business: certificates, proxies, npm's own settings.
  const reach = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:https?|no)_proxy|npm_config_(?:registry|cafile))$/i;
  const npmSettings = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' }).trim();
  env = {
    ...Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        reach.test(name) && value !== undefined ? [[name, value]] : [],
      ),
    ),
    npm_config_globalconfig: npmSettings,
    PATH: path.join(':'),
    HOME: process.env['HOME'] ?? folder,
    LANG: 'C.UTF-8',
    // `npm install --global` goes here.
    npm_config_prefix: join(folder, 'global'),
    npm_config_update_notifier: 'false',
  };
});

afterAll(async () => {
  for (const { pid, exitCode, signalCode } of running) {
    if (exitCode !== null || signalCode !== null || pid === undefined) continue;
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It ended just now.
    }
  }
  await eventually(() => running.every((child) => child.exitCode !== null || child.signalCode !== null), {
    timeoutMs: 40_000,
  }).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a command line by the shell; `text` grows with what it prints. */
function start(line: string): { child: ChildProcess; text: () => string; code: Promise<number | null> } {
  const child = spawn('sh', ['-c', line], { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  return { child, text: () => text, code: new Promise((resolve) => child.once('close', resolve)) };
}

async function run(line: string): Promise<string> {
  expect(commands, 'stands in README').toContain(line);
  const { text, code } = start(line);
  expect(await code, `${line}\n${text().slice(-3_000)}`).toBe(0);
  return text();
}

describe('README', () => {
  it('first command: a finished crawl, with no pnpm on PATH', async () => {
    expect(() => execFileSync('sh', ['-c', 'command -v pnpm'], { env })).toThrow();
    const text = await run('npm run demo');
    expect(text).toMatch(/200 done/);
    expect(text).toMatch(/4,800 rows, 0 duplicate rows/);
  }, 600_000);

  it('the other commands, in their order', async () => {
    const tried = new Set(['npm run demo', ...left.keys()]);
    const go = async (line: string): Promise<string> => {
      tried.add(line);
      return run(line);
    };
    const stay = (line: string): ReturnType<typeof start> => {
      expect(commands, 'stands in README').toContain(line);
      tried.add(line);
      return start(line);
    };
    await go('npm install --global pnpm');
    await go('pnpm install');
    await go('cp .env.example .env');
    await go('pnpm crawl services start');
    const shop = stay('pnpm crawl shop');
    await eventually(() => shop.text().includes('http://127.0.0.1:8099'), { timeoutMs: 60_000 });

    await go('pnpm --filter producer start -- --pages 1-200');
    const daemons = ['pnpm --filter consumer start', 'pnpm --filter retry-scheduler start'].map(stay);
    const status = async (): Promise<string> => {
      const child = start('pnpm --silent crawl status --json');
      await child.code;
      return child.text();
    };
    await eventually(async () => /"done":\s*200\b/.test(await status()), { timeoutMs: 120_000, everyMs: 1_000 });

    expect(await go('pnpm crawl status')).toMatch(/demo-shop/);
    expect(await go('pnpm crawl dead list')).toMatch(/no dead|0|none/i);
    await go('pnpm crawl doctor');
    await go('pnpm crawl pace demo-shop --rate 5/s');
    await start('pnpm crawl pace demo-shop --reset').code;
    await go('pnpm crawl pause demo-shop');
    await start('pnpm crawl resume demo-shop').code;
    for (const { child } of daemons) if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    for (const { code, text } of daemons) {
      await code; // of the shell, which the signal ends at once; the daemon tells its own end
      expect(text().slice(-2_000)).toMatch(/\bstopped\b/);
    }
    await go('pnpm crawl services stop');
    expect([...commands].filter((line) => !tried.has(line))).toEqual([]);
  }, 600_000);
});
