import type { Worker } from 'node:cluster';
import { createLogger } from '@dist-crawl/core/logging';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWatchdog } from '../../src/primary/watchdog.js';
import type { WorkerPool } from '../../src/primary/worker-pool.js';
import { WorkerProcess } from '../../src/primary/worker-process.js';

const ignore = { ready: () => undefined, idle: () => undefined, unregistered: () => undefined, tally: () => undefined };

describe('the watchdog', () => {
  let kills: string[];
  let worker: WorkerProcess;
  let look: () => void;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    kills = [];
    const child = {
      process: { kill: (signal: string) => kills.push(signal) },
      isConnected: () => true,
      send: () => true,
    };
    worker = new WorkerProcess(child as unknown as Worker);
    const pool = { workers: [worker] } as unknown as WorkerPool;
    look = createWatchdog(pool, 4_000, createLogger({ name: 'test', level: 'fatal' }));
  });
  afterEach(() => vi.useRealTimers());

  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      vi.advanceTimersByTime(1_000);
      look();
    }
  };

  it('kills a worker that was silent for too long', () => {
    worker.receive({ type: 'ready' }, ignore);
    pass(4_000);
    expect(kills).toEqual([]);
    pass(1_000);
    expect(kills).toEqual(['SIGKILL']);
  });

  it('lets a worker load its program first', () => {
    pass(30_000);
    expect(kills).toEqual([]);
    pass(31_000);
    expect(kills).toContain('SIGKILL');
  });

  it('blames nobody for the time in which it stood still itself', () => {
    worker.receive({ type: 'ready' }, ignore);
    look();
    vi.advanceTimersByTime(20_000);
    look();
    pass(3_000);
    expect(kills).toEqual([]);
  });
});
