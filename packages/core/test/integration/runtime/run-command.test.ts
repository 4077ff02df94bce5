import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { start } from './child.js';

const command = (does: string) => start('command.mjs', [does]);

describe('a one-shot command', () => {
  test('ends with the code that it gives', async () => {
    expect(await command('counts').ended()).toBe(3);
  });

  test('prints all of a long output before it ends', async () => {
    const child = command('prints a lot');
    expect(await child.ended()).toBe(0);
    expect(child.output()).toContain('line 49999\n');
  });

  test('ends quietly when its reader goes away', async () => {
    const child = command('prints for ever');
    await child.says('line');
    child.process.stdout?.destroy();
    expect(await child.ended()).toBe(0);
    expect(child.errors()).toBe('');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with the code of %s when it stops at it', async (signal, code) => {
    const child = command('waits');
    await child.says('begun');
    child.process.kill(signal);
    expect(await child.ended()).toBe(code);
    expect(child.errors()).toBe('');
  });

  test('may tidy up and give its own code', async () => {
    const child = command('tidies up');
    await child.says('begun');
    child.process.kill('SIGINT');
    expect(await child.ended()).toBe(0);
    expect(child.output()).toBe('begun\ntidy\n');
  });

  test('ends at once with 1 at the second signal', async () => {
    const child = command('is deaf');
    await child.says('begun');
    child.process.kill('SIGINT');
    await delay(400);
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGINT');
    expect(await child.ended()).toBe(1);
  });

  test('ends with 69 and one line when a server is away', async () => {
    const child = command('finds no server');
    expect(await child.ended()).toBe(69);
    expect(child.errors()).toBe('MySQL at 127.0.0.1:1 does not answer: refused\n');
  });

  test.each(['breaks', 'leaks'])('that %s shows the stack and ends with 1', async (does) => {
    const child = command(does);
    expect(await child.ended()).toBe(1);
    expect(child.errors()).toMatch(/Error: .*\n +at /u);
  });
});
