import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { type Daemon, spawnDaemon } from '../../src/processes/daemon.js';
import { eventually } from '../../src/processes/eventually.js';
import { isAlive } from '../../src/servers/process-table.js';

const parent = fileURLToPath(new URL('fixtures/parent.mjs', import.meta.url));

async function childOf(daemon: Daemon): Promise<number> {
  return Number((await daemon.waitForLine(/^child/)).split(' ')[1]);
}

describe('spawnDaemon', () => {
  test('hands on arguments and environment, and keeps the output', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dist-crawl-daemon-'));
    const seen: string[] = [];
    const daemon = await spawnDaemon({
      name: 'parent',
      entry: parent,
      args: ['--a', 'b'],
      env: { TOLD: 'told' },
      logFile: join(folder, 'log'),
      onLine: (line, stream) => seen.push(`${stream} ${line}`),
    });
    const line = await daemon.waitForLine(/^child/);
    expect(line).toMatch(/^child \d+ told --a,b$/);
    expect(daemon.exit()).toBeNull();
    expect(await daemon.stop()).toEqual({ code: 3, signal: null });
    expect(daemon.exit()).toEqual({ code: 3, signal: null });
    expect(seen).toContain('stderr a warning');
    expect(await readFile(join(folder, 'log'), 'utf8')).toContain(line);
    await expect(daemon.waitForLine(/never/)).rejects.toThrow('parent ended without a line like /never/');
    await rm(folder, { recursive: true });
  });

  test('kills the whole group, or one process of it', async () => {
    const group = await spawnDaemon({ name: 'group', entry: parent });
    const child = await childOf(group);
    expect(await group.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(async () => !(await isAlive(child)));

    const alone = await spawnDaemon({ name: 'alone', entry: parent });
    const orphan = await childOf(alone);
    alone.signal('SIGKILL');
    await eventually(() => alone.exit() !== null);
    expect(await isAlive(orphan)).toBe(true);
    await alone.kill();
    await eventually(async () => !(await isAlive(orphan)));
  });

  test('ends a daemon that does not listen to SIGTERM', async () => {
    const daemon = await spawnDaemon({ name: 'stopped', entry: parent });
    await childOf(daemon);
    daemon.signalGroup('SIGSTOP');
    expect(await daemon.stop(200)).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

describe('eventually', () => {
  test('gives what came true, and the last error when nothing did', async () => {
    let calls = 0;
    expect(await eventually(() => ((calls += 1) < 3 ? null : calls), { everyMs: 1 })).toBe(3);
    const failing = eventually(() => expect(1).toBe(2), { timeoutMs: 30, everyMs: 5 });
    await expect(failing).rejects.toThrow(/did not come true within 30 ms: expected 1 to be 2/);
  });
});
