import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes, in memory. */
export interface SmallDisk {
  readonly directory: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  remove(): void;
}

/** Why there can be none here, or false. */
export function noSmallDisk(): string | false {
  if (process.platform !== 'linux') return 'a small file system can be made on Linux only';
  try {
    makeSmallDisk(1).remove();
    return false;
  } catch (error) {
    return `mounting is not allowed here: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
}

export function makeSmallDisk(megabytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'dist-crawl-disk-'));
  const run = (program: string, ...args: string[]): void => {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`${program}: ${stderr}`);
  };
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory);
  } catch (error) {
    rmSync(directory, { recursive: true });
    throw error;
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill() {
      const file = openSync(ballast, 'w');
      try {
        const block = Buffer.alloc(4096);
        while (statfsSync(directory).bavail > 0) writeSync(file, block);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      run('umount', '-l', directory);
      rmSync(directory, { recursive: true });
    },
  };
}
