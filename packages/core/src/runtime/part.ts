/**
 * Something a daemon is made of: a connection, a loop, a server. Its owner calls `start` once at most, and `stop` any number of
 * times, also before `start`, while `start` runs, or after it failed.
 */
export interface Part {
  /** For the log. */
  readonly name: string;
  /**
   * Resolves when the part is at work. `signal` is aborted when the daemon begins to stop; a start that waits (for Redis, say) then
   * rejects or resolves soon.
   */
  start(signal: AbortSignal): Promise<void> | void;
  /**
   * Finishes what is under way, at most for `deadlineMs` milliseconds, then drops it. Resolves when no timer, socket or
   * promise of the part is left.
   */
  stop(deadlineMs: number): Promise<void> | void;
}

export type Phase = 'starting' | 'running' | 'stopping' | 'stopped';
