import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { APT_SCRIPT } from '../../src/servers/apt-install.js';

let folder = '';
let policy = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dist-crawl-apt-'));
  policy = join(folder, 'policy-rc.d');
  await mkdir(join(folder, 'bin'));
  // apt-get notes its arguments and what the policy answers; systemctl lists what apt-get enabled.
  await fakeProgram(
    'apt-get',
    'echo "apt-get $*" >> "$DIR/calls"; "$DIR/policy-rc.d"; echo "policy $?" >> "$DIR/calls"; [ "$1" = install ] && touch "$DIR/on"; [ ! -e "$DIR/broken" ]',
  );
  await fakeProgram(
    'systemctl',
    'echo "systemctl $*" >> "$DIR/calls"; [ "$1" = list-unit-files ] && { echo "ssh.service enabled"; [ -e "$DIR/on" ] && echo "mariadb.service enabled enabled"; }; exit 0',
  );
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function fakeProgram(name: string, script: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\nDIR='${folder}'\n${script}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}

async function runScript(): Promise<number> {
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
  return new Promise((resolve) => {
    const child = execFile('/bin/sh', ['-c', APT_SCRIPT, 'sh', policy, 'redis-server', 'mariadb-server'], { env });
    child.once('exit', (code) => resolve(code ?? -1));
  });
}

const calls = async (): Promise<string> => readFile(join(folder, 'calls'), 'utf8');

describe('installing by apt', () => {
  test('forbids starts while it works, disables what came enabled, and leaves nothing behind', async () => {
    expect(await runScript()).toBe(0);
    expect(await calls()).toContain(
      'apt-get install -y --no-install-recommends redis-server mariadb-server\npolicy 101',
    );
    expect(await calls()).toContain('systemctl --no-reload disable mariadb.service');
    expect(await calls()).not.toContain('disable ssh');
    expect((await readdir(folder)).toSorted()).toEqual(['bin', 'calls', 'on']);
  });

  test("puts the administrator's policy back, also when apt-get fails", async () => {
    await writeFile(policy, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    await writeFile(join(folder, 'broken'), '');
    expect(await runScript()).not.toBe(0);
    expect(await calls()).toContain('policy 101');
    expect(await readFile(policy, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
    expect(await readdir(folder)).not.toContain('policy-rc.d.dist-crawl-saved');
  });

  test('mends what a killed run left', async () => {
    await writeFile(policy, '#!/bin/sh\n# dist-crawl: passing policy\nexit 101\n', { mode: 0o755 });
    await writeFile(`${policy}.dist-crawl-saved`, '#!/bin/sh\nexit 104\n', { mode: 0o755 });
    expect(await runScript()).toBe(0);
    expect(await readFile(policy, 'utf8')).toBe('#!/bin/sh\nexit 104\n');
  });
});
