import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnDaemon } from '@dist-crawl/testbed';
import type { Role } from './roles.js';

/** A process of the demo that was started. */
export interface RoleProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Null while it runs. */
  exit(): RoleExit | null;
  /** When it has ended. Never rejects. */
  readonly exited: Promise<RoleExit>;
  /** SIGTERM, and SIGKILL to it and all that it started when the grace is over. */
  stop(graceMs: number): Promise<void>;
}

export interface RoleExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts a process that ends with this one, whatever ends this one. */
export async function startGuarded(role: Role, { logs, home }: { logs: string; home: string }): Promise<RoleProcess> {
  const logFile = join(logs, `${role.name}.log`);
  const daemon = await spawnDaemon({ ...role, cwd: home, logFile });
  return {
    name: role.name,
    pid: daemon.pid,
    logFile,
    exit: () => daemon.exit(),
    exited: daemon.exited,
    stop: async (graceMs) => {
      await daemon.stop(graceMs);
    },
  };
}

/** Starts a process that may live on after this one: it writes its log itself, and nothing of it hangs on a pipe of ours. */
export async function startLasting(role: Role, { logs, home }: { logs: string; home: string }): Promise<RoleProcess> {
  const logFile = join(logs, `${role.name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [role.entry, ...role.args], {
    cwd: home,
    env: role.env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  let exit: RoleExit | null = null;
  const exited = new Promise<RoleExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
  child.unref();
  return {
    name: role.name,
    pid,
    logFile,
    exit: () => exit,
    exited,
    stop: async (graceMs) => {
      if (exit !== null) return;
      child.ref();
      signalGroup(pid, 'SIGTERM', 'process');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL', 'group'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** What a process wrote last, for a message about its end. */
export function lastLines({ logFile }: Pick<RoleProcess, 'logFile'>, count: number): string[] {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count);
  } catch {
    return []; // it wrote nothing before it ended
  }
}

/** To a process, or to it and all that it started. A process that is gone already is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals, to: 'process' | 'group'): boolean {
  try {
    process.kill(to === 'group' ? -pid : pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
