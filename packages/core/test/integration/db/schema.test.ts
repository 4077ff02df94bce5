import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const PACKAGE = join(ROOT, 'packages/core');

it('the committed migrations make the schema of the code', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dist-crawl-schema-'));
  try {
    await cp(join(PACKAGE, 'migrations'), folder, { recursive: true });
    const before = await readdir(folder);
    const command = join(ROOT, 'node_modules/.bin/drizzle-kit');
    // drizzle-kit takes a path relative to where it runs only.
    const out = relative(PACKAGE, folder);
    const flags = ['generate', '--dialect', 'mysql', '--schema', './src/db/schema.ts', '--out', out];
    const { stdout, stderr, status } = spawnSync(command, flags, { cwd: PACKAGE, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('No schema changes');
    expect(await readdir(folder)).toEqual(before);
  } finally {
    await rm(folder, { recursive: true });
  }
});
