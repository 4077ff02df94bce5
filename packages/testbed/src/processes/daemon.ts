import { spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { startGuard } from '../servers/guard.js';
import { eventually } from './eventually.js';

export interface DaemonOptions {
  /** For messages. */
  readonly name: string;
  /** The JavaScript file to run. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** The whole environment; default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Where its output goes, too; appended to. */
  readonly logFile?: string;
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
  /** Whether it ends with this process, whatever ends that (default true). */
  readonly guarded?: boolean;
}

export interface DaemonExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process as a user would start it, in a process group of its own together with all that it starts. */
export interface Daemon {
  readonly name: string;
  readonly pid: number;
  /** When it has ended and its output has been read. Never rejects. */
  readonly exited: Promise<DaemonExit>;
  /** Null while it runs. */
  exit(): DaemonExit | null;
  /** What it has written so far (stdout and stderr as they came), the last 10,000 lines. */
  lines(): readonly string[];
  /** To this process alone: SIGKILL, SIGSTOP, SIGCONT, SIGTERM, ... Nothing happens if it has ended. */
  signal(signal: NodeJS.Signals): void;
  /** To it and to all processes it has started. */
  signalGroup(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL to the whole group when `graceMs` (default 30 s) are over. */
  stop(graceMs?: number): Promise<DaemonExit>;
  /** SIGKILL to the whole group. */
  kill(): Promise<DaemonExit>;
  /** Gives the first line, written already or yet to come, that matches. Rejects if the daemon ends without it. */
  waitForLine(pattern: RegExp, timeoutMs?: number): Promise<string>;
}

const KEPT_LINES = 10_000;

/** Starts a daemon with this Node. Rejects if the process can't be made. */
export async function spawnDaemon(options: DaemonOptions): Promise<Daemon> {
  const guard = (options.guarded ?? true) ? startGuard({ kill: 'group', graceSeconds: 0 }) : null;
  const child = spawn(process.execPath, [options.entry, ...(options.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', reject);
  }).catch((error: unknown) => {
    guard?.dismiss();
    throw error;
  });
  guard?.watch(pid);

  const lines: string[] = [];
  const log = options.logFile === undefined ? null : createWriteStream(options.logFile, { flags: 'a' });
  const keep = (stream: 'stdout' | 'stderr') => (line: string) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    log?.write(`${line}\n`);
    options.onLine?.(line, stream);
  };
  readLines(child.stdout, keep('stdout'));
  readLines(child.stderr, keep('stderr'));

  let exit: DaemonExit | null = null;
  let ended = false;
  const exited = new Promise<DaemonExit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
    });
    // 'close' comes when the output is at its end, too: a worker that outlives its primary keeps it open.
    child.once('close', (code, signal) => {
      ended = true;
      guard?.dismiss();
      void closeLog(log).then(() => resolve({ code, signal })); // closeLog never rejects
    });
  });

  const signalGroup = (signal: NodeJS.Signals): void => {
    if (!ended) sendSignal(-pid, signal);
  };
  const kill = async (): Promise<DaemonExit> => {
    signalGroup('SIGKILL');
    return exited;
  };
  return {
    name: options.name,
    pid,
    exited,
    exit: () => exit,
    lines: () => lines,
    signal: (signal) => {
      if (exit === null) sendSignal(pid, signal);
    },
    signalGroup,
    kill,
    stop: async (graceMs = 30_000) => {
      if (exit === null) sendSignal(pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup('SIGKILL'), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
    waitForLine: async (pattern, timeoutMs = 30_000) => {
      const found = await eventually(() => lines.find((line) => pattern.test(line)) ?? (ended ? 'ended' : null), {
        timeoutMs,
        everyMs: 20,
      });
      if (pattern.test(found)) return found;
      throw new Error(
        `${options.name} ended without a line like ${pattern}; its last lines:\n${lines.slice(-10).join('\n')}`,
      );
    },
  };
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
}

async function closeLog(log: WriteStream | null): Promise<void> {
  if (log === null) return;
  await new Promise<void>((resolve) => {
    log.once('error', () => resolve());
    log.end(() => resolve());
  });
}

/** A process that is gone already is no error. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
