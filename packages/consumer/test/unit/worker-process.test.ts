import type { Worker } from 'node:cluster';
import { describe, expect, it } from 'vitest';
import { WorkerProcess } from '../../src/primary/worker-process.js';

const ignore = { ready: () => undefined, idle: () => undefined, unregistered: () => undefined, tally: () => undefined };

describe('the books of a worker', () => {
  it('keep a URL that was claimed anew when the lost claim of it is given up late', () => {
    const worker = new WorkerProcess({} as Worker);
    const site = 'shop';
    worker.receive({ type: 'took', site, tasks: [{ url: 'http://a/', token: 'old' }] }, ignore);
    worker.receive({ type: 'took', site, tasks: [{ url: 'http://a/', token: 'new' }] }, ignore);
    worker.receive({ type: 'gave', site, tasks: [{ url: 'http://a/', token: 'old' }] }, ignore);
    expect(worker.heldTasks(site)).toEqual([{ url: 'http://a/', token: 'new' }]);
    worker.receive({ type: 'gave', site, tasks: [{ url: 'http://a/', token: 'new' }] }, ignore);
    expect(worker.heldTasks(site)).toEqual([]);
  });
});
