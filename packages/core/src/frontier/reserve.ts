import type { ScriptRunner } from '../redis/index.js';
import { AHEAD_MS, type Pace } from './leases.js';
import * as scripts from './scripts.js';

/**
 * Takes the next place in the site's pace: `go` tells when to send the request, `wait` when to ask again, and why.
 * Whoever asks the site for anything but a task uses it, so that one rate holds for all.
 */
export type Reserve = () => Promise<
  | { readonly kind: 'go'; readonly delayMs: number }
  | { readonly kind: 'wait'; readonly waitMs: number; readonly reason: string }
>;

export function createReserve(runner: ScriptRunner, { ratePerSecond, burst }: Pace): Reserve {
  const args = { rate: ratePerSecond ?? 0, burst, ahead_ms: AHEAD_MS };
  return async () => {
    const reply = await runner.run(scripts.reserve, { args });
    if (reply[0] === 'go') return { kind: 'go', delayMs: reply[1] };
    return { kind: 'wait', waitMs: reply[1], reason: reply[2] };
  };
}
