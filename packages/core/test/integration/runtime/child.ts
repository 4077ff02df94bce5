import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A child process with all that it said. */
export interface Child {
  readonly process: ChildProcess;
  output(): string;
  errors(): string;
  /** Resolves when stdout has this text; rejects when the child ends before. */
  says(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals | null>;
}

/** Starts a fixture in an empty folder, with servers set that nobody connects to. It is killed with the test. */
export function start(fixture: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  const script = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const cwd = mkdtempSync(join(tmpdir(), 'dist-crawl-runtime-'));
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { PATH: '/usr/bin:/bin', REDIS_URL: 'redis://h', DATABASE_URL: 'mysql://h/d', ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
    rmSync(cwd, { recursive: true });
  });
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    says: async (text) => {
      while (!output.includes(text)) {
        if (child.exitCode !== null)
          throw new Error(`ended with ${child.exitCode} before it said '${text}': ${errors}`);
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
    },
    ended: async () => {
      await closed;
      return child.exitCode ?? child.signalCode;
    },
  };
}
