import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAlive } from '../servers/process-table.js';

/** Does `work` while no other process does it under the same lock file. The lock of a process that is gone is void. */
export async function withStartLock<T>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  while (!(await take(file))) {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    // An empty file is one whose maker is about to write its id, or died before: a second tells which.
    if (holder > 0 && !(await isAlive(holder))) await rm(file, { force: true });
    else {
      await sleep(holder > 0 ? 100 : 1_000, undefined, { signal });
      if (holder === 0 && (await readFile(file, 'utf8').catch(() => 'gone')) === '') await rm(file, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
