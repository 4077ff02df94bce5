import { readFile } from 'node:fs/promises';

import { runCommand } from './run-command.js';

/** Whether a process with this id runs (a zombie counts as gone where the system tells). */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true; // no /proc here
  }
}

/** The command line of a process, arguments joined by blanks; empty if there is none. */
async function commandLine(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch {
    const listed = await runCommand('ps', ['-o', 'command=', '-p', String(pid)], { timeoutMs: 5_000 });
    return listed.code === 0 ? listed.stdout.trim() : '';
  }
}

/** Whether `pid` runs and its command line names a file in `folder`: a stored id alone may have been given anew. */
export async function isProcessOf(pid: number, folder: string): Promise<boolean> {
  return (await isAlive(pid)) && (await commandLine(pid)).includes(`${folder}/`);
}

/** Waits until a process that is not our child is gone; false if it still runs after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
  return true;
}

/** Sends a signal; a process that is gone already is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
