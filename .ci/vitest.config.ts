import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Kind {
  readonly name: string;
  readonly include: string;
  readonly testTimeoutMs: number;
  /** Test files at a time. Those with processes wait more than they compute. */
  readonly atOnce: number;
  /** Kinds run one after the other, in this order. */
  readonly order: number;
  /** Whether a Redis and a MySQL of their own are started for them. */
  readonly servers: boolean;
}

function project({ name, include, testTimeoutMs, atOnce, order, servers }: Kind) {
  return {
    test: {
      name,
      root,
      include: [include],
      environment: 'node' as const,
      testTimeout: testTimeoutMs,
      hookTimeout: 120_000,
      maxWorkers: atOnce,
      sequence: { groupOrder: order },
      ...(servers ? { globalSetup: '.ci/servers.ts' } : {}),
    },
  };
}

const tests = (packages: string, kind: string): string => `packages/${packages}/test/${kind}/**/*.test.ts`;

export default defineConfig({
  root,
  test: {
    projects: [
      project({
        name: 'unit',
        include: tests('*', 'unit'),
        testTimeoutMs: 20_000,
        atOnce: 2,
        order: 1,
        servers: false,
      }),
      project({
        name: 'integration',
        include: tests('*', 'integration'),
        testTimeoutMs: 90_000,
        atOnce: 2,
        order: 2,
        servers: true,
      }),
      project({
        name: 'e2e',
        include: tests('{consumer,producer,retry-scheduler}', 'e2e'),
        testTimeoutMs: 300_000,
        atOnce: 2,
        order: 3,
        servers: true,
      }),
      // The demo and README's commands use the demo shop's own port: never two of them at a time.
      project({
        name: 'e2e-console',
        include: tests('console', 'e2e'),
        testTimeoutMs: 300_000,
        atOnce: 1,
        order: 4,
        servers: false,
      }),
      project({
        name: 'fault',
        include: tests('*', 'fault'),
        testTimeoutMs: 240_000,
        atOnce: 1,
        order: 5,
        servers: true,
      }),
    ],
  },
});
