import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';

import { ServerStartError } from './private-server.js';
import { isAlive, isProcessOf, signalProcess, waitUntilGone } from './process-table.js';

const recordSchema = z.object({
  /** Of the server. */
  pid: z.int().positive().nullable(),
  port: z.int().positive(),
  password: z.string(),
  /** Who started it, and ends it. Null: nobody, it lives on its own. */
  owner: z.int().positive().nullable(),
  /** The name of the container it runs in, if it does. */
  container: z.string().nullable(),
});

/** What a server's folder remembers about it: enough to find it again, and to start it as it was. */
export type ServerRecord = z.infer<typeof recordSchema>;

/** The record in a server's folder, or null if there is none that can be read (a crash may have cut it short). */
export async function readServerRecord(directory: string): Promise<ServerRecord | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(join(directory, 'server.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces a file at once, readable by its owner alone: a reader sees the old text or the new one, never half. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}

export async function writeServerRecord(directory: string, record: ServerRecord): Promise<void> {
  await writePrivately(join(directory, 'server.json'), `${JSON.stringify(record)}\n`);
}

/** The pid of the server of this folder, if it runs. */
export async function runningPid(directory: string): Promise<number | null> {
  const pid = (await readServerRecord(directory))?.pid ?? null;
  return pid !== null && (await isProcessOf(pid, resolve(directory))) ? pid : null;
}

const PASSING_DATA = /^data-[0-9a-f]{8}$/;

/**
 * The folder in a server's folder that its data go to: always the same one for a durable server, else one with a name
 * of its own, so that whoever cleans up after a crashed run can't hit the next run's data.
 */
export function chooseDataFolder(directory: string, durable: boolean): string {
  return join(directory, durable ? 'data' : `data-${randomBytes(4).toString('hex')}`);
}

/** Removes all that servers which were not durable left in a folder; the log stays. */
export async function removePassingData(directory: string): Promise<void> {
  const names = await readdir(directory).catch((): string[] => []);
  for (const name of names.filter((each) => PASSING_DATA.test(each) || each === 'server.json')) {
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Makes a folder ready for a start: ends a server that a crashed run left there, and removes its data unless they
 * shall be kept. Gives what is known of the server whose data were kept. Throws `ServerStartError` if the server
 * belongs to a process that still runs.
 */
export async function prepareServerFolder(directory: string, keepData: boolean): Promise<ServerRecord | null> {
  const record = await readServerRecord(directory);
  const pid = await runningPid(directory);
  if (record !== null && pid !== null) {
    if (record.owner !== null && (await isAlive(record.owner))) {
      throw new ServerStartError(`${directory} is in use by process ${record.owner}; choose another folder`);
    }
    await endLeftover(pid, keepData);
  }
  if (!keepData) await removePassingData(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return keepData ? record : null;
}

/** Kept data deserve an orderly end; the others are thrown away in a moment. */
async function endLeftover(pid: number, keepData: boolean): Promise<void> {
  signalProcess(pid, keepData ? 'SIGTERM' : 'SIGKILL');
  if (await waitUntilGone(pid, 30_000)) return;
  signalProcess(pid, 'SIGKILL');
  await waitUntilGone(pid, 5_000);
}

/** A password that needs no quoting anywhere: URL, SQL, configuration file, shell. */
export function makePassword(): string {
  return randomBytes(18).toString('hex');
}
