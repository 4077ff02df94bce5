import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { start } from './child.js';

const daemon = (does: string, env: Record<string, string> = {}) => start('daemon.mjs', ['--', '--does', does], env);
/** Longer than the time in which a second signal counts as the same keystroke. */
const laterMs = 400;

describe('a daemon', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('drains at %s, in reverse order, and ends with 0', async (signal) => {
    const child = daemon('drains');
    await child.says('b started');
    child.process.kill(signal);
    expect(await child.ended()).toBe(0);
    expect(child.output()).toBe('a started\nb started\nb stopping\nb stopped\na stopping\na stopped\n');
    expect(child.errors()).toContain(`stopping: ${signal}`);
  });

  test('ends at once with 1 at the second signal', async () => {
    const child = daemon('drains for long');
    await child.says('b started');
    child.process.kill('SIGTERM');
    await child.says('b stopping');
    await delay(laterMs);
    const begun = performance.now();
    child.process.kill('SIGINT');
    expect(await child.ended()).toBe(1);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(child.output()).not.toContain('a stopping');
  });

  test('takes two signals of one keystroke, its own and the one that pnpm hands on, for one', async () => {
    const child = daemon('drains');
    await child.says('b started');
    child.process.kill('SIGINT');
    await child.says('b stopping');
    child.process.kill('SIGINT');
    expect(await child.ended()).toBe(0);
    expect(child.output()).toContain('a stopped');
  });

  test('that overruns its deadline ends with 1, the other parts closed', async () => {
    const child = daemon('drains for long', { DRAIN_DEADLINE: '100ms' });
    await child.says('b started');
    child.process.kill('SIGTERM');
    expect(await child.ended()).toBe(1);
    expect(child.output()).toContain('a stopped');
    expect(child.errors()).toContain('b did not stop well');
  });

  test('can be stopped while it still starts', async () => {
    const child = daemon('waits for a server');
    await child.says('a started');
    child.process.kill('SIGTERM');
    expect(await child.ended()).toBe(0);
    expect(child.output()).toBe('a started\nb stopping\nb stopped\na stopping\na stopped\n');
  });

  test('can be stopped before it starts', async () => {
    const child = daemon('composes slowly');
    await child.says('composing');
    child.process.kill('SIGTERM');
    expect(await child.ended()).toBe(0);
    expect(child.output()).toBe('composing\n');
    expect(child.errors()).toBe('');
  });

  test('ends with 0 when it is finished, whatever timers are left', async () => {
    expect(await daemon('finishes').ended()).toBe(0);
    const child = daemon('leaves a timer');
    await child.says('b started');
    child.process.kill('SIGTERM');
    expect(await child.ended()).toBe(0);
  });

  test.each(['rejects later', 'throws later'])(
    'that %s logs the error, stops in order and ends with 1',
    async (does) => {
      const child = daemon(does);
      expect(await child.ended()).toBe(1);
      expect(child.output()).toContain('b stopping\nb stopped\na stopping\na stopped\n');
      expect(child.errors()).toContain('nobody caught me');
      if (does === 'rejects later') expect(child.errors()).toContain('caused by: Error: deep');
    },
  );

  test('that a parent commands ignores signals', async () => {
    const child = daemon('finishes slowly', { SIGNALS: 'ignored' });
    await child.says('b started');
    child.process.kill('SIGINT');
    await delay(laterMs);
    child.process.kill('SIGTERM');
    await delay(100);
    expect(child.process.exitCode).toBeNull();
    expect(child.output()).not.toContain('stopping');
  });

  test('ends with 69 and one plain line when a server is away for good', async () => {
    const child = daemon('finds no server', { LOG_LEVEL: 'silent' });
    expect(await child.ended()).toBe(69);
    expect(child.errors()).toBe('Redis at 127.0.0.1:1 does not answer: refused\n');
  });
});

describe('wrong input', () => {
  test('of flags and settings is told together, ends with 78, and starts nothing', async () => {
    const child = start('daemon.mjs', ['--doess', 'x'], { MAX_FAILURES: 'many', DATABASE_URL: 'mysql://u:geheim@h' });
    expect(await child.ended()).toBe(78);
    expect(child.output()).toBe('');
    expect(child.errors()).toMatchInlineSnapshot(`
      "3 settings are wrong; nothing was started.

        --doess: unknown flag
          expected --does

        MAX_FAILURES in the environment: 'many' is not a whole number
          expected a whole number from 1 to 1000

        DATABASE_URL in the environment: no database name in mysql://u:***@h
          expected mysql://user:password@host:port/database
      "
    `);
  });

  test('of a taken port ends with 78', async () => {
    const first = daemon('runs', { HEALTH_PORT: '0' });
    await first.says('b started');
    const port = /127\.0\.0\.1:(\d+)\/readyz/u.exec(first.errors())?.[1] ?? '';
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const second = daemon('runs', { HEALTH_PORT: port, LOG_LEVEL: 'silent' });
    expect(await second.ended()).toBe(78);
    expect(second.errors()).toContain(`HEALTH_PORT: port ${port} on 127.0.0.1 is taken by another process`);
    expect(second.output()).toBe('');
  });

  test('asking for help is none', async () => {
    const child = start('daemon.mjs', ['--help'], { MAX_FAILURES: 'many' });
    expect(await child.ended()).toBe(0);
    expect(child.output()).toContain('Usage: daemon');
    expect(child.errors()).toBe('');
  });
});
