import { setTimeout as sleep } from 'node:timers/promises';
import { TransientDatabaseError } from '@dist-crawl/core/db';
import type { Frontier } from '@dist-crawl/core/frontier';
import { eventually } from '@dist-crawl/testbed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, Report } from '../../src/jobs/job.js';
import { CronPart } from '../../src/schedule/cron-part.js';
import { createJobRunner, type JobRunner } from '../../src/schedule/job-runner.js';
import { createRunMemory } from '../../src/schedule/run-memory.js';
import { logger, never, openWorld, type World } from './world.js';

const HOUR_MS = 3_600_000;

describe('several schedulers', () => {
  let world: World;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await openWorld('job_runner');
    runner = createJobRunner({ redis: world.redis, logger });
  });
  afterAll(async () => {
    await world.close();
  });

  /** A job that counts its runs. */
  function counter(
    frontier: Frontier,
    work: (signal: AbortSignal, run: number) => Promise<void> = async () => undefined,
  ) {
    let runs = 0;
    const job: Job = {
      name: 'retry',
      frontier,
      async runOnce(signal): Promise<Report> {
        runs += 1;
        await work(signal, runs);
        return { finished: !signal.aborted };
      },
      describe: () => null,
    };
    return { job, runs: () => runs };
  }
  const options = { signal: never, intervalMs: HOUR_MS, patienceMs: 5_000 };
  const memoryOf = (frontier: Frontier) => createRunMemory(world.redis, frontier, 'retry');

  it('run a job once at the same tick, and not again when a late clock comes to it', async () => {
    const frontier = world.newSite();
    const { job, runs } = counter(frontier);
    const outcomes = await Promise.all([1, 2, 3].map(() => runner.runTick(job, options)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['had', 'had', 'ran']);
    expect(await runner.runTick(job, options)).toEqual({ kind: 'had' });
    expect(runs()).toBe(1);
    const left = await world.redis.pttl(frontier.keys.jobLock('retry:tick'));
    expect(left).toBeGreaterThan(HOUR_MS / 2 - 60_000);
    expect(left).toBeLessThanOrEqual(HOUR_MS / 2);
  });

  it('run it again at the next tick', async () => {
    const { job, runs } = counter(world.newSite());
    await runner.runTick(job, { ...options, intervalMs: 200 });
    await sleep(150);
    expect(await runner.runTick(job, { ...options, intervalMs: 200 })).toMatchObject({ kind: 'ran' });
    expect(runs()).toBe(2);
  });

  it('do not run it while it runs, whoever asks', async () => {
    const frontier = world.newSite();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { job, runs } = counter(frontier, () => ended);
    const first = runner.runNow(job, options);
    await eventually(() => runs() === 1);
    expect(await runner.runNow(job, options)).toEqual({ kind: 'busy' });
    end();
    expect(await first).toMatchObject({ kind: 'ran' });
    expect(await runner.runNow(job, options)).toMatchObject({ kind: 'ran' });
    expect(runs()).toBe(2);
  });

  it('wait while MySQL or Redis have trouble that passes, and tell what does not', async () => {
    const { job, runs } = counter(world.newSite(), async (_, run) => {
      if (run === 1) throw new TransientDatabaseError('connection', '127.0.0.1:1/x', new Error('refused'));
      if (run === 2) throw new Error("OOM command not allowed when used memory > 'maxmemory'.");
    });
    expect(await runner.runNow(job, options)).toMatchObject({ kind: 'ran' });
    expect(runs()).toBe(3);

    const broken = counter(world.newSite(), async () => {
      throw new Error('a mistake of the program');
    });
    await expect(runner.runNow(broken.job, options)).rejects.toThrow('a mistake of the program');
    expect(broken.runs()).toBe(1);
  });

  it('know at start whether a tick was missed or a run cut short', async () => {
    let now = 1_800_000_000_000;
    const frontier = world.newSite({ clock: () => now });
    const { job } = counter(frontier);
    const lookBack = () => runner.lookBack(job, HOUR_MS);
    expect(await lookBack()).toBe('in time');
    now += HOUR_MS;
    expect(await lookBack()).toBe('in time');
    now += HOUR_MS;
    expect(await lookBack()).toBe('missed');
    await runner.runNow(job, options);
    expect(await lookBack()).toBe('in time');
    await memoryOf(frontier).begun(HOUR_MS);
    expect(await lookBack()).toBe('cut short');
    await memoryOf(frontier).ended(HOUR_MS);
    now -= 100 * HOUR_MS;
    expect(await lookBack()).toBe('in time');
    now += 2 * HOUR_MS;
    expect(await lookBack()).toBe('missed');
  });

  it('share the ticks of cron, and one goes on when the other stops', async () => {
    const frontier = world.newSite();
    const { job, runs } = counter(frontier);
    const stop = new AbortController();
    const began = Date.now();
    const parts = [1, 2].map(() => new CronPart('retry', { jobs: [job], cron: '* * * * * *', runner, logger }));
    for (const part of parts) await part.start(stop.signal);
    const [first, second] = parts;
    await eventually(() => runs() >= 2);
    await first?.stop(1_000);
    await eventually(() => runs() >= 4);
    // Ticks are a second apart: had both run each, there were twice as many.
    expect(runs()).toBeLessThanOrEqual(Math.ceil((Date.now() - began) / 1_000) + 1);
    await second?.stop(1_000);
    const after = runs();
    await sleep(1_500);
    expect(runs()).toBe(after);
    await second?.stop(1_000);
  });

  it('go on with the other sites and at the next tick when a job fails', async () => {
    const broken = counter(world.newSite(), async () => {
      throw new Error('a mistake of the program');
    });
    const sound = counter(world.newSite());
    const part = new CronPart('retry', { jobs: [broken.job, sound.job], cron: '* * * * * *', runner, logger });
    await part.start(never);
    await eventually(() => broken.runs() >= 2 && sound.runs() >= 2);
    await part.stop(1_000);
  });

  it('take up at start what was cut short, and nothing else', async () => {
    const [cut, fresh] = [world.newSite(), world.newSite()];
    await memoryOf(cut).begun(HOUR_MS);
    const [first, second] = [counter(cut), counter(fresh)];
    const yearly = { cron: '0 0 1 1 *', runner, logger };
    const part = new CronPart('retry', { jobs: [first.job, second.job], ...yearly });
    await part.start(never);
    await eventually(() => first.runs() === 1);
    await part.stop(1_000);
    expect(second.runs()).toBe(0);
    expect(await world.redis.get(cut.keys.cache('job:retry'))).toMatch(/^done \d+$/);
  });

  it('wait for the batch in hand when they stop', async () => {
    let finished = false;
    const frontier = world.newSite();
    const { job, runs } = counter(frontier, async () => {
      await sleep(300);
      finished = true;
    });
    const part = new CronPart('retry', { jobs: [job], cron: '* * * * * *', runner, logger });
    await part.start(never);
    await eventually(() => runs() === 1);
    await part.stop(5_000);
    expect(finished).toBe(true);
    expect(await world.redis.exists(frontier.keys.jobLock('retry'))).toBe(0);
    expect(await runner.lookBack(job, HOUR_MS)).toBe('cut short');
  });
});
