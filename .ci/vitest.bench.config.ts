import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Measurements with servers and processes, one after the other; they are run by name, never by `npm test`. */
export default defineConfig({
  root,
  test: {
    include: ['packages/*/test/bench/**/*.bench.ts'],
    environment: 'node',
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    globalSetup: '.ci/servers.ts',
    disableConsoleIntercept: true,
  },
});
