import type { RedisTarget } from '../config/index.js';
import { UnavailableError } from '../errors/index.js';
import { redisAddress, type RedisClient } from './connect.js';
import { obstacle } from './obstacle.js';

export interface WaitOptions {
  /** For the message. */
  readonly target: RedisTarget;
  readonly signal: AbortSignal;
  /** Give up after so many ms; absent: never, as a daemon does. */
  readonly deadlineMs?: number;
  /** Told once when it has to wait, with the reason. */
  readonly onWait?: (reason: string) => void;
}

/**
 * Resolves when Redis answers PING.
 * @throws UnavailableError at the deadline; the signal's reason when aborted
 */
export async function waitForRedis(
  client: RedisClient,
  { target, signal, deadlineMs, onWait }: WaitOptions,
): Promise<void> {
  signal.throwIfAborted();
  let reason: unknown = new Error('no answer');
  const note = (error: unknown): void => {
    reason = error;
  };
  client.on('error', note);
  client.on('node error', note);
  let tell: NodeJS.Timeout | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    await Promise.race([
      client.ping(),
      new Promise<never>((_, reject) => {
        const explain = async (): Promise<unknown> => (await obstacle(target)) ?? reason;
        tell = setTimeout(() => void explain().then((why) => onWait?.(textOf(why))), 1_000);
        if (deadlineMs !== undefined) {
          const end = (why: unknown): void => reject(new UnavailableError('Redis', redisAddress(target), why));
          giveUp = setTimeout(() => void explain().then(end), deadlineMs);
        }
        abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(tell);
    clearTimeout(giveUp);
    if (abort !== undefined) signal.removeEventListener('abort', abort);
    client.off('error', note);
    client.off('node error', note);
  }
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message || reason.name : String(reason);
}
