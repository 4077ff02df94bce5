import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sleep } from '@dist-crawl/core/runtime';
import { z } from 'zod';
import { signalGroup } from './role-process.js';

const recordSchema = z.object({
  processes: z.array(
    z.object({
      name: z.string(),
      pid: z.int().positive(),
      /** A part of its command line, by which it is told from a stranger that got its number later. */
      mark: z.string().min(1),
    }),
  ),
});

/** What `--keep` left running, in the order in which it is stopped. */
export type RunningRecord = z.infer<typeof recordSchema>;

const GRACE_MS = 15_000;
const LOOK_EVERY_MS = 50;

export async function writeRecord(file: string, record: RunningRecord): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
}

/** Stops what an earlier `--keep` left running. Gives the names of those that ran. */
export async function stopRunning(file: string): Promise<string[]> {
  const stopped: string[] = [];
  for (const { name, pid, mark } of await readRecord(file)) {
    if (!(await runs(pid, mark))) continue;
    stopped.push(name);
    signalGroup(pid, 'SIGTERM', 'process');
    const deadline = performance.now() + GRACE_MS;
    while (await runs(pid, mark)) {
      if (performance.now() > deadline) signalGroup(pid, 'SIGKILL', 'group');
      await sleep(LOOK_EVERY_MS);
    }
  }
  await rm(file, { force: true });
  return stopped;
}

async function readRecord(file: string): Promise<RunningRecord['processes']> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(file, 'utf8'))).processes;
  } catch {
    return []; // nothing was left, or a crash cut the file short
  }
}

async function runs(pid: number, mark: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)]);
    return stdout.includes(mark) && !stdout.trimStart().startsWith('Z');
  } catch {
    return false; // ps ends with 1 for a number that no process has
  }
}
