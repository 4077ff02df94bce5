import type { Frontier } from '../../../src/frontier/index.js';
import type { RedisClient } from '../../../src/redis/index.js';

/** Where the model says that a URL stands. */
export type State =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'in-flight'; readonly worker: string; readonly token: string }
  | { readonly kind: 'failed'; readonly failures: number }
  | { readonly kind: 'dead' };

/** The frontier as a reader of DESIGN would tell it: one state per URL, and the set of those done. */
export class Model {
  readonly states = new Map<string, State>();
  readonly done = new Set<string>();
  readonly failures = new Map<string, number>();

  state(url: string): State {
    return this.states.get(url) ?? { kind: 'unknown' };
  }

  isPending(url: string): boolean {
    return ['waiting', 'in-flight', 'failed'].includes(this.state(url).kind);
  }

  enqueue(urls: readonly string[], fresh: boolean): { queued: number; pending: number; done: number; dead: number } {
    const counts = { queued: 0, pending: 0, done: 0, dead: 0 };
    for (const url of urls) {
      if (this.isPending(url)) counts.pending += 1;
      else if (this.state(url).kind === 'dead') counts.dead += 1;
      else if (!fresh && this.done.has(url)) counts.done += 1;
      else {
        counts.queued += 1;
        this.failures.delete(url);
        this.states.set(url, { kind: 'waiting' });
      }
    }
    return counts;
  }

  /** Whether the token still holds the URL: if not, nothing may change. */
  holds(url: string, token: string): boolean {
    const state = this.state(url);
    return state.kind === 'in-flight' && state.token === token;
  }

  end(url: string, outcome: 'done' | 'dead'): void {
    this.failures.delete(url);
    if (outcome === 'done') {
      this.states.set(url, { kind: 'unknown' });
      this.done.add(url);
    } else {
      this.states.set(url, { kind: 'dead' });
    }
  }

  fail(url: string): number {
    const failures = (this.failures.get(url) ?? 0) + 1;
    this.failures.set(url, failures);
    this.states.set(url, { kind: 'failed', failures });
    return failures;
  }

  back(url: string): void {
    this.states.set(url, { kind: 'waiting' });
  }

  ofWorker(worker: string): string[] {
    return [...this.states].flatMap(([url, state]) =>
      state.kind === 'in-flight' && state.worker === worker ? [url] : [],
    );
  }
}

/** What Redis holds, in the model's words. */
export async function readStates(
  frontier: Frontier,
  client: RedisClient,
  workers: readonly string[],
): Promise<Map<string, State>> {
  const { keys } = frontier;
  const states = new Map<string, State>();
  const put = (url: string, state: State): void => {
    const before = states.get(url);
    if (before !== undefined) throw new Error(`${url} is ${before.kind} and ${state.kind}`);
    states.set(url, state);
  };
  for (const url of await client.lrange(keys.taskQueue, 0, -1)) put(url, { kind: 'waiting' });
  for (const worker of workers) {
    for (const [url, token] of Object.entries(await client.hgetall(keys.inFlight(worker)))) {
      put(url, { kind: 'in-flight', worker, token });
    }
  }
  const failed = await client.zrange(keys.failUrlZset, 0, '-1', 'WITHSCORES');
  for (let i = 0; i < failed.length; i += 2) put(failed[i] ?? '', { kind: 'failed', failures: Number(failed[i + 1]) });
  const pending = new Set(await client.smembers(keys.pendingUrlSet));
  for (const url of states.keys()) if (!pending.delete(url)) throw new Error(`${url} is not pending`);
  if (pending.size > 0) throw new Error(`pending without a place: ${[...pending].join(' ')}`);
  for (const url of await client.hkeys(keys.task)) if (!states.has(url)) throw new Error(`a record is left of ${url}`);
  for (const key of await client.keys(`${keys.lockPrefix}*`)) {
    const url = key.slice(keys.lockPrefix.length);
    if (states.get(url)?.kind !== 'in-flight') throw new Error(`a lock is left of ${url}`);
  }
  for (const url of await client.smembers(keys.deadUrlSet)) put(url, { kind: 'dead' });
  return states;
}
