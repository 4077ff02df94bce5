import type { Intake } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { repeat, withDeadline } from '@dist-crawl/core/runtime';
import { persist } from './trouble.js';

/** Well below the 30 s after which a silent round is forgotten. */
const TOUCH_EVERY_MS = 5000;
const END_DEADLINE_MS = 5000;

export interface RoundSign {
  readonly intake: Pick<Intake, 'touchRound' | 'endRound'>;
  /** Of this process and round alone. */
  readonly round: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Does the work of a round while Redis says that the round is under way: from before its first URL is queued until after
 * its last. Consumers that run until all is done wait for its end, whatever that is.
 */
export async function whileUnderWay<T>(
  { intake, round, signal, logger }: RoundSign,
  work: () => Promise<T>,
): Promise<T> {
  await persist(() => intake.touchRound(round), { signal, logger });
  const beating = new AbortController();
  const touch = {
    everyMs: TOUCH_EVERY_MS,
    first: 'after a while' as const,
    run: () => intake.touchRound(round),
    onError: (error: unknown) => logger.warn({ err: error }, 'the sign of life of this round failed'),
  };
  // Not waited for: while Redis is away a touch stays under way. On the one connection it comes before the end below.
  void repeat(touch, beating.signal);
  try {
    return await work();
  } finally {
    beating.abort(new Error('the round is over'));
    try {
      await withDeadline(END_DEADLINE_MS, undefined, () => intake.endRound(round));
    } catch (error) {
      logger.warn({ err: error }, 'the end of this round could not be told to Redis, which forgets it after 30 s');
    }
  }
}
