import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One project a kind of test: unit tests run side by side, those with servers and processes file by file. */
function project(name: string, testTimeoutMs: number, fileParallelism: boolean, servers = true) {
  return {
    test: {
      name,
      root,
      include: [`packages/*/test/${name}/**/*.test.ts`],
      environment: 'node' as const,
      testTimeout: testTimeoutMs,
      hookTimeout: 120_000,
      fileParallelism,
      ...(servers ? { globalSetup: '.ci/servers.ts' } : {}),
    },
  };
}

export default defineConfig({
  root,
  test: {
    projects: [
      project('unit', 10_000, true, false),
      project('integration', 60_000, true),
      project('fault', 180_000, false),
      project('e2e', 240_000, false),
    ],
  },
});
