import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openFrontier, type Dedup, type Frontier } from '../../../src/frontier/index.js';
import { connectRedis, type RedisClient } from '../../../src/redis/index.js';
import type { CanonicalUrl } from '../../../src/url/index.js';
import { Model, readStates } from './model.js';

const URLS = Array.from({ length: 8 }, (_, index) => `http://shop.test/p/${index}` as CanonicalUrl);
const urlAt = (index: number): CanonicalUrl => URLS[index] ?? ('' as CanonicalUrl);
const MAX_FAILURES = 3;
const WORKERS = 3;

type Step =
  | { do: 'enqueue'; urls: number[]; fresh: boolean }
  | { do: 'claim'; worker: number; limit: number; replyLost: boolean }
  | {
      do: 'finish';
      worker: number;
      pick: number;
      as: 'complete' | 'fail' | 'bury' | 'release' | 'throttle' | 'defer';
      stale: boolean;
      twice: boolean;
    }
  | { do: 'renew'; worker: number; forget: boolean }
  | { do: 'requeue'; limit: number }
  | { do: 'buryFailed' }
  | { do: 'redrive'; url: number }
  | { do: 'die'; worker: number; parsing: number }
  | { do: 'recoverAlive'; worker: number }
  | { do: 'pass'; ms: number };

const worker = fc.nat(WORKERS - 1);
const url = fc.nat(URLS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('enqueue' as const),
    urls: fc.array(url, { minLength: 1, maxLength: 5 }),
    fresh: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      worker,
      limit: fc.integer({ min: 1, max: 4 }),
      replyLost: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      worker,
      pick: fc.nat(7),
      as: fc.constantFrom(
        'complete' as const,
        'fail' as const,
        'bury' as const,
        'release' as const,
        'throttle' as const,
        'defer' as const,
      ),
      stale: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('renew' as const), worker, forget: fc.boolean() }),
  fc.record({ do: fc.constant('requeue' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('buryFailed' as const) }),
  fc.record({ do: fc.constant('redrive' as const), url }),
  fc.record({ do: fc.constant('die' as const), worker, parsing: fc.nat(7) }),
  fc.record({ do: fc.constant('recoverAlive' as const), worker }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
);

/** Runs steps against Redis and against the model at once. */
class World {
  readonly model = new Model();
  readonly ids: string[] = [];
  readonly oldTokens: { worker: string; url: CanonicalUrl; token: string }[] = [];
  now = 1_800_000_000_000;
  request = 0;
  born = 0;
  readonly frontier: Frontier;
  readonly client: RedisClient;

  constructor(client: RedisClient, dedup: Dedup, run: number) {
    this.client = client;
    this.frontier = openFrontier(
      client,
      {
        name: 'model',
        namespace: `model:${dedup.store}:${run}`,
        dedup,
        pace: { ratePerSecond: null, burst: 1, concurrency: 100 },
      },
      { clock: () => this.now },
    );
  }

  id(index: number): string {
    return this.ids[index] ?? '';
  }

  async bear(index: number): Promise<void> {
    this.born += 1;
    this.ids[index] = `node-${index}~${this.born}`;
    await this.frontier.leases.register(this.id(index));
  }

  async apply(given: Step): Promise<void> {
    const { model, frontier } = this;
    switch (given.do) {
      case 'enqueue': {
        const urls = given.urls.map((index) => urlAt(index));
        expect(await frontier.intake.enqueue(urls, { fresh: given.fresh })).toEqual({
          consumed: urls.length,
          refused: {},
          ...model.enqueue(urls, given.fresh),
        });
        return;
      }
      case 'claim':
        return this.claim(this.id(given.worker), given.limit, given.replyLost);
      case 'finish':
        return this.finish(given);
      case 'renew': {
        const id = this.id(given.worker);
        const mine = model.ofWorker(id);
        const held = given.forget ? mine.slice(1) : mine;
        const tasks = held.map((name) => ({ url: name as CanonicalUrl, token: this.token(name) }));
        const result = await frontier.leases.renew(id, tasks);
        const orphan = given.forget ? mine[0] : undefined;
        const age = orphan === undefined ? 0 : this.now - Number(this.token(orphan).split('@')[1]);
        if (orphan !== undefined && age > 10_000) model.back(orphan);
        expect(result).toEqual({ kind: 'renewed', unheld: orphan !== undefined && age > 10_000 ? 1 : 0, lost: [] });
        return;
      }
      case 'requeue': {
        const { taken, queued } = await frontier.retries.requeue(MAX_FAILURES, given.limit);
        expect(queued).toBe(taken);
        const waiting = new Set(await this.client.lrange(frontier.keys.taskQueue, 0, -1));
        let moved = 0;
        for (const [name, state] of model.states) {
          if (state.kind === 'failed' && state.failures < MAX_FAILURES && waiting.has(name)) {
            model.back(name);
            moved += 1;
          }
        }
        expect(moved).toBe(taken);
        return;
      }
      case 'buryFailed': {
        const found = await frontier.retries.exhausted(MAX_FAILURES, 100);
        const should = [...model.states].filter(
          ([, state]) => state.kind === 'failed' && state.failures >= MAX_FAILURES,
        );
        expect(found.map((item) => String(item.url)).sort()).toEqual(should.map(([name]) => name).sort());
        const urls = found.map((item) => item.url);
        expect(await frontier.retries.buryFailed(urls, MAX_FAILURES)).toEqual(urls.map(() => 'buried'));
        expect(await frontier.retries.buryFailed(urls, MAX_FAILURES)).toEqual(urls.map(() => 'already'));
        for (const name of urls) model.end(name, 'dead');
        return;
      }
      case 'redrive': {
        const name = urlAt(given.url);
        const state = model.state(name).kind;
        const expected = state === 'dead' ? 'queued' : model.isPending(name) ? 'pending' : 'not-dead';
        expect(await frontier.retries.redrive([name])).toEqual([expected]);
        if (state === 'dead') model.back(name);
        return;
      }
      case 'die': {
        const id = this.id(given.worker);
        const mine = model.ofWorker(id);
        const suspect = mine[given.parsing];
        const record = suspect === undefined ? null : await this.client.hget(frontier.keys.task, suspect);
        const before = (JSON.parse(record ?? '{}') as { crashes?: number }).crashes ?? 0;
        const result = await frontier.recovery.recover(id, { processDied: true, suspect });
        expect(result).toEqual({ kind: 'recovered', tasks: mine.length });
        for (const name of mine) {
          if (name === suspect && before + 1 >= 3) model.fail(name);
          else model.back(name);
        }
        return this.bear(given.worker);
      }
      case 'recoverAlive': {
        const id = this.id(given.worker);
        await frontier.leases.renew(
          id,
          model.ofWorker(id).map((name) => ({ url: name as CanonicalUrl, token: this.token(name) })),
        );
        expect(await frontier.recovery.recover(id, { lastSign: this.now - 1 })).toEqual({ kind: 'alive' });
        return;
      }
      case 'pass':
        this.now += given.ms;
        return;
    }
  }

  token(name: string): string {
    const state = this.model.state(name);
    return state.kind === 'in-flight' ? state.token : '';
  }

  async claim(id: string, limit: number, replyLost: boolean): Promise<void> {
    this.request += 1;
    let result = await this.frontier.leases.claim(id, this.request, limit);
    if (replyLost) {
      const again = await this.frontier.leases.claim(id, this.request, limit);
      if (result.kind === 'tasks') {
        if (again.kind !== 'tasks') throw new Error(`asked again: ${again.kind}`);
        expect(again.tasks.map((task) => task.token).sort()).toEqual(result.tasks.map((task) => task.token).sort());
      } else {
        result = again;
      }
    }
    if (result.kind !== 'tasks') {
      if (result.kind === 'empty')
        expect([...this.model.states.values()].every((state) => state.kind !== 'waiting')).toBe(true);
      return;
    }
    expect(result.tasks.length).toBeLessThanOrEqual(limit);
    for (const { url: name, token } of result.tasks) {
      expect(this.model.state(name)).toEqual({ kind: 'waiting' });
      this.model.states.set(name, { kind: 'in-flight', worker: id, token });
      this.oldTokens.push({ worker: id, url: name, token });
    }
  }

  async finish({ worker: index, pick, as, stale, twice }: Extract<Step, { do: 'finish' }>): Promise<void> {
    const id = this.id(index);
    const mine = this.model.ofWorker(id);
    const name = mine[pick % Math.max(1, mine.length)];
    const task = stale
      ? this.oldTokens[pick % Math.max(1, this.oldTokens.length)]
      : name === undefined
        ? undefined
        : { worker: id, url: name as CanonicalUrl, token: this.token(name) };
    if (task === undefined) return;
    const held = this.model.holds(task.url, task.token);
    const status = await this.call(as, task);
    if (held) {
      switch (as) {
        case 'complete':
          this.model.end(task.url, 'done');
          break;
        case 'bury':
          this.model.end(task.url, 'dead');
          break;
        case 'fail':
          this.model.fail(task.url);
          break;
        case 'throttle':
          if (status === 'failed') this.model.fail(task.url);
          else this.model.back(task.url);
          await this.frontier.operator.resume();
          break;
        case 'release':
        case 'defer':
          this.model.back(task.url);
          break;
      }
      expect(['completed', 'failed', 'buried', 'released', 'deferred']).toContain(status);
    } else {
      expect(['lost', 'already']).toContain(status);
    }
    if (!twice) return;
    const again = held && ['complete', 'fail', 'bury'].includes(as) ? ['already'] : ['lost', 'already'];
    expect(again).toContain(await this.call(as, task));
  }

  async call(
    as: 'complete' | 'fail' | 'bury' | 'release' | 'throttle' | 'defer',
    task: { worker: string; url: CanonicalUrl; token: string },
  ): Promise<string | undefined> {
    const { leases } = this.frontier;
    switch (as) {
      case 'complete':
        return (await leases.complete(task.worker, [{ ...task, rows: 1 }]))[0];
      case 'fail':
        return (await leases.fail(task.worker, task, { kind: 'http-500', message: 'no', status: 500, node: 'n' }))
          .status;
      case 'defer':
        return (await leases.defer(task.worker, task, { kind: 'robots-unreachable', message: 'no', node: 'n' })).status;
      case 'bury':
        return (await leases.bury(task.worker, [task]))[0];
      case 'release':
        return (await leases.release(task.worker, [task], { end: 'next' }))[0];
      case 'throttle':
        return (await leases.throttle(task.worker, task, { message: 'HTTP 429', status: 429, node: 'n' })).status;
    }
  }

  async check(): Promise<void> {
    const real = await readStates(this.frontier, this.client, this.ids);
    const expected = new Map([...this.model.states].filter(([, state]) => state.kind !== 'unknown'));
    expect(new Map([...real].sort())).toEqual(new Map([...expected].sort()));
    const census = await this.frontier.census();
    expect(census.done).toBe(this.model.done.size);
    expect(census.inFlight).toBe([...expected.values()].filter((state) => state.kind === 'in-flight').length);
    expect((await this.frontier.audit()).violations).toEqual([]);
  }
}

let client: RedisClient;
beforeAll(() => {
  client = connectRedis({ url: inject('redisUrl'), name: 'test' });
});
afterAll(() => client.quit());

describe.each<Dedup>([{ store: 'set' }, { store: 'bloom', errorRate: 1e-6, initialCapacity: 3 }])(
  'the frontier with done store $store',
  (dedup) => {
    it('goes through the states of the model, whatever several workers do in whatever order', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
          run += 1;
          const world = new World(client, dedup, run);
          const old = await client.keys(`model:${dedup.store}:${run}:*`);
          if (old.length > 0) await client.del(...old);
          for (let index = 0; index < WORKERS; index += 1) await world.bear(index);
          for (const given of steps) {
            await world.apply(given);
            await world.check();
          }
        }),
        { numRuns: 60, endOnFailure: false },
      );
    }, 120_000);
  },
);
