import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineScript, type RedisClient, type RedisKey, type Script } from '../redis/index.js';

const flag = z.union([z.literal(0), z.literal(1)]);
const acquireScript = defineScript({
  name: 'lock-acquire',
  shared: [],
  keys: ['lock'],
  args: ['token', 'ttl_ms'],
  reply: flag,
});
const renewScript = defineScript({
  name: 'lock-renew',
  shared: [],
  keys: ['lock'],
  args: ['token', 'ttl_ms'],
  reply: flag,
});
const releaseScript = defineScript({ name: 'lock-release', shared: [], keys: ['lock'], args: ['token'], reply: flag });

/** A lock that is held: `SET key token NX PX ttl`, released and renewed only by the owner of the token. */
export interface Lock {
  readonly key: RedisKey;
  readonly token: string;
  /** False: the lock ran out, or is somebody else's by now. */
  renew(ttlMs?: number): Promise<boolean>;
  /** False: it was no longer ours. */
  release(): Promise<boolean>;
}

export const LOCK_TTL_MS = 30_000;

/** One try to take the lock; null: somebody else has it. It runs out after `ttlMs` unless it is renewed. */
export async function acquireLock(
  client: RedisClient,
  key: RedisKey,
  ttlMs: number = LOCK_TTL_MS,
): Promise<Lock | null> {
  const token = randomUUID();
  const run = async (script: Script<string, 0 | 1>, ...args: (string | number)[]): Promise<boolean> => {
    const { text } = script.source('set');
    return script.reply.parse(await client.eval(text, 1, key, '', token, ...args)) === 1;
  };
  if (!(await run(acquireScript, Math.ceil(ttlMs)))) return null;
  return {
    key,
    token,
    renew: (ms = ttlMs) => run(renewScript, Math.ceil(ms)),
    release: () => run(releaseScript),
  };
}

/**
 * Runs `work` while holding the lock, renewed at a third of its life; `work` is aborted when the lock is lost.
 * @param options.keepMs - leaves the lock to run out so long after the work began, so that nobody repeats it before
 * @returns `{ ran: false }` where somebody else has the lock
 */
export async function withLock<T>(
  client: RedisClient,
  key: RedisKey,
  work: (signal: AbortSignal) => Promise<T>,
  { ttlMs = LOCK_TTL_MS, keepMs, signal }: { ttlMs?: number; keepMs?: number; signal?: AbortSignal } = {},
): Promise<{ ran: false } | { ran: true; result: T }> {
  const lock = await acquireLock(client, key, Math.max(ttlMs, keepMs ?? 0));
  if (lock === null) return { ran: false };
  const began = performance.now();
  const lost = new AbortController();
  const life = (): number => Math.max(ttlMs, (keepMs ?? 0) - (performance.now() - began));
  const renewed = async (): Promise<void> => {
    try {
      if (!(await lock.renew(life()))) lost.abort(new Error(`lock ${key} was lost`));
    } catch {
      // Redis is away: the lock may live on or not; the work's own steps are safe to repeat.
    }
  };
  const timer = setInterval(() => {
    void renewed(); // never rejects
  }, ttlMs / 3);
  try {
    return {
      ran: true,
      result: await work(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal])),
    };
  } finally {
    clearInterval(timer);
    const leftMs = (keepMs ?? 0) - (performance.now() - began);
    if (leftMs > 0) await lock.renew(leftMs);
    else await lock.release();
  }
}
