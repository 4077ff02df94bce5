import type { ScriptRunner, SiteKeys } from '../redis/index.js';
import type { CanonicalUrl } from '../url/index.js';
import * as scripts from './scripts.js';
import { readTaskRecord, type Failure, type Task } from './task.js';

/** How long a lock lives without renewal: `SET key token NX EX 30`. */
export const LEASE_MS = 30_000;
/** Slots of the site's rate are handed out so far ahead, with a not-before time. */
export const AHEAD_MS = 500;
/** What stands in flight for so long and is held by nobody goes back to the queue. */
const UNHELD_GRACE_MS = 10_000;
/** Pages in a row without the goods that were expected, or on which the module failed, until the site is held. */
const BARREN_LIMIT = 30;
/** Requests in a row without a good answer, until the site pauses: for all nodes, twice as long each time. */
const AWAY = { limit: 20, baseMs: 10_000, capMs: 600_000 };
/** A URL is put off for a minute, then twice as long each time; after a day of that it begins to count as failing. */
const DEFER = { baseMs: 60_000, capMs: 1_800_000, maxMs: 86_400_000 };
const THROTTLE = { baseMs: 1_000, capMs: 600_000, maxThrottles: 5 };

export type ClaimResult =
  | { readonly kind: 'tasks'; readonly tasks: readonly Task[]; readonly redisNow: number }
  /** Nothing waits. */
  | { readonly kind: 'empty' }
  /** Nothing may be taken for `waitMs`. */
  | { readonly kind: 'wait'; readonly waitMs: number; readonly reason: WaitReason; readonly detail: string }
  /** The worker is not on the register (it was taken for dead): it must drop what it holds and register anew. */
  | { readonly kind: 'unregistered' };

export type WaitReason = 'pace' | 'paused' | 'concurrency' | 'suspect' | 'not-before' | 'passed-over';

export interface Pace {
  /** Requests per second of all nodes together; null: no limit. */
  readonly ratePerSecond: number | null;
  readonly burst: number;
  /** Tasks of the site in flight at a time, on all nodes together. */
  readonly concurrency: number;
}

export interface Completion {
  readonly url: CanonicalUrl;
  readonly token: string;
  /** Where redirects led; recorded as done too. */
  readonly finalUrl?: CanonicalUrl | undefined;
  readonly rows: number;
}

type Held = Pick<Task, 'url' | 'token'>;

/** The workers' side of the frontier. `worker` is an id that is new with each process. */
export interface Leases {
  register(worker: string): Promise<void>;
  /** @param request - a number that is new with each claim, and the same when a claim is asked again after an error */
  claim(worker: string, request: number, limit: number): Promise<ClaimResult>;
  /** A sign of life of the worker and of all that it holds. `lost` lists held URLs that are no longer its own. */
  renew(
    worker: string,
    held: readonly Held[],
  ): Promise<{ kind: 'unregistered' } | { kind: 'renewed'; unheld: number; lost: readonly string[] }>;
  /** Only after the commit of the page's rows. */
  complete(worker: string, tasks: readonly Completion[]): Promise<readonly ('completed' | 'already' | 'lost')[]>;
  fail(
    worker: string,
    task: Held,
    failure: Failure,
  ): Promise<{ status: 'failed' | 'already' | 'lost'; failures: number; pausedMs: number; held: string | null }>;
  /** Only after the commit of the dead letters. */
  bury(worker: string, tasks: readonly Held[]): Promise<readonly ('buried' | 'already' | 'lost')[]>;
  /** @param options.end - `next`: taken first again; `last`: after all that waits */
  release(
    worker: string,
    tasks: readonly Held[],
    options: { end: 'next' | 'last'; notBeforeMs?: number },
  ): Promise<readonly ('released' | 'lost')[]>;
  /**
   * The site's robots.txt or a proxy can't be had: the task is put off, at least for `waitMs`. A failure only after a day of it.
   */
  defer(
    worker: string,
    task: Held,
    failure: Failure & { readonly waitMs?: number | undefined },
  ): Promise<{ status: 'deferred'; waitMs: number } | { status: 'failed'; failures: number } | { status: 'lost' }>;
  /** The site said 429 or 503: it pauses for all nodes, the task goes back. */
  throttle(
    worker: string,
    task: Held,
    answer: { message: string; status: number; node: string; retryAfterMs?: number | undefined },
  ): Promise<{ status: 'released' | 'failed' | 'lost'; pausedMs: number }>;
}

export function createLeases(runner: ScriptRunner, keys: SiteKeys, pace: Pace): Leases {
  const own = (worker: string) => ({ inFlight: keys.inFlight(worker) });
  const lock = { lock_prefix: keys.lockPrefix };
  const pairs = (tasks: readonly Held[]): string[] => tasks.flatMap(({ url, token }) => [url, token]);
  return {
    async register(worker) {
      await runner.run(scripts.register, { args: { worker } });
    },
    async claim(worker, request, limit) {
      const reply = await runner.run(scripts.claim, {
        keys: own(worker),
        args: {
          worker,
          request,
          limit,
          lease_ms: LEASE_MS,
          rate: pace.ratePerSecond ?? 0,
          burst: pace.burst,
          concurrency: pace.concurrency,
          ahead_ms: AHEAD_MS,
          ...lock,
        },
      });
      switch (reply[0]) {
        case 'unregistered':
        case 'empty':
          return { kind: reply[0] };
        case 'wait':
          return { kind: 'wait', waitMs: reply[1], reason: reply[2] as WaitReason, detail: reply[3] };
        case 'tasks': {
          const [, redisNow, ...given] = reply;
          const tasks = given.map(([url, token, delayMs, record]) => ({
            url: url as CanonicalUrl,
            token,
            delayMs,
            record: readTaskRecord(record),
          }));
          return { kind: 'tasks', tasks, redisNow };
        }
      }
    },
    async renew(worker, held) {
      const args = { worker, lease_ms: LEASE_MS, grace_ms: UNHELD_GRACE_MS, ...lock };
      const reply = await runner.run(scripts.renew, { keys: own(worker), args, rest: pairs(held) });
      if (reply[0] === 'unregistered') return { kind: 'unregistered' };
      const [, unheld, ...lost] = reply;
      return { kind: 'renewed', unheld, lost };
    },
    async complete(worker, tasks) {
      if (tasks.length === 0) return [];
      const rest = tasks.flatMap(({ url, token, finalUrl, rows }) => [url, token, finalUrl ?? '', rows]);
      return runner.run(scripts.complete, { keys: own(worker), args: lock, rest });
    },
    async fail(worker, { url, token }, { kind, message, status, node, away = false }) {
      const story = { kind, message, status: status ?? '', node };
      const limits = { barren_limit: BARREN_LIMIT, away_limit: AWAY.limit };
      const pause = { base_ms: AWAY.baseMs, cap_ms: AWAY.capMs, jitter: Math.random() };
      const [outcome, failures, pausedMs, held] = await runner.run(scripts.fail, {
        keys: own(worker),
        args: { ...lock, url, token, ...story, ...limits, away: away ? 1 : 0, ...pause },
      });
      return { status: outcome, failures, pausedMs, held: held === '' ? null : held };
    },
    async bury(worker, tasks) {
      if (tasks.length === 0) return [];
      return runner.run(scripts.bury, { keys: own(worker), args: lock, rest: pairs(tasks) });
    },
    async release(worker, tasks, { end, notBeforeMs = 0 }) {
      if (tasks.length === 0) return [];
      const args = { ...lock, end, not_before_ms: notBeforeMs };
      return runner.run(scripts.release, { keys: own(worker), args, rest: pairs(tasks) });
    },
    async defer(worker, { url, token }, { kind, message, status, node, waitMs = 0 }) {
      const bounds = { base_ms: DEFER.baseMs, cap_ms: DEFER.capMs, max_ms: DEFER.maxMs };
      const story = { kind, message, status: status ?? '', node };
      const [outcome, figure] = await runner.run(scripts.defer, {
        keys: own(worker),
        args: { ...lock, url, token, wait_ms: Math.ceil(waitMs), ...bounds, ...story },
      });
      switch (outcome) {
        case 'deferred':
          return { status: outcome, waitMs: figure };
        case 'failed':
          return { status: outcome, failures: figure };
        case 'lost':
          return { status: outcome };
      }
    },
    async throttle(worker, { url, token }, { message, status, node, retryAfterMs = 0 }) {
      const [outcome, pausedMs] = await runner.run(scripts.throttle, {
        keys: own(worker),
        args: {
          ...lock,
          url,
          token,
          retry_after_ms: Math.ceil(retryAfterMs),
          base_ms: THROTTLE.baseMs,
          cap_ms: THROTTLE.capMs,
          jitter: Math.random(),
          max_throttles: THROTTLE.maxThrottles,
          message,
          status,
          node,
        },
      });
      return { status: outcome, pausedMs };
    },
  };
}
