import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { localDirectory } from '@dist-crawl/testbed';

const run = promisify(execFile);

/** HTML that nobody here wrote: a Debian package of documentation. */
export interface DocumentationPackage {
  readonly name: string;
  /** Where in the package the HTML is. */
  readonly folder: string;
}

export const POSTGRESQL: DocumentationPackage = {
  name: 'postgresql-doc-15',
  folder: 'usr/share/doc/postgresql-doc-15/html',
};

/** The package's HTML, unpacked once and kept, nothing installed; or why it can't be had here. */
export async function fetchDocumentation({
  name,
  folder,
}: DocumentationPackage): Promise<{ folder: string } | { missing: string }> {
  const cache = join(localDirectory(), 'cache');
  const found = join(cache, name, folder);
  if (existsSync(found)) return { folder: found };
  mkdirSync(cache, { recursive: true });
  // Beside its place, and moved there whole: another test may want the same package now.
  const cwd = mkdtempSync(join(cache, `${name}-`));
  try {
    const download = async (): Promise<unknown> => run('apt-get', ['download', name], { cwd, timeout: 60_000 });
    await download().catch(async () => {
      await run('apt-get', ['update', '-qq'], { timeout: 60_000 });
      return download();
    });
    const file = readdirSync(cwd).find((each) => each.endsWith('.deb'));
    if (file === undefined) return { missing: 'apt-get download left no file' };
    await run('dpkg-deb', ['-x', file, '.'], { cwd });
    rmSync(join(cwd, file));
    if (!existsSync(found)) renameSync(cwd, join(cache, name));
    return { folder: found };
  } catch (error) {
    if (existsSync(found)) return { folder: found };
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { missing: `apt-get can't fetch ${name}: ${reason}` };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
