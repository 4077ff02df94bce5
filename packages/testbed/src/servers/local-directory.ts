import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `.local` at the root of the checkout: where private servers keep what they need. Found from this file and not from
 * the working directory, since `pnpm --filter` changes into a package's folder.
 */
export function localDirectory(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'pnpm-workspace.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) return join(process.cwd(), '.local');
    folder = parent;
  }
  return join(folder, '.local');
}
