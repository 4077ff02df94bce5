/** Counts the pages that may be worked on at once; whoever finds none free waits for the next change. */
export class Slots {
  readonly size: number;
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.size = size;
  }

  get free(): number {
    return this.size - this.#taken;
  }

  /** Takes up to `wanted` slots; returns how many. */
  take(wanted: number): number {
    const given = Math.max(0, Math.min(wanted, this.free));
    this.#taken += given;
    return given;
  }

  give(count: number): void {
    if (count === 0) return;
    this.#taken -= count;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when slots are given back, or at once where some are free; also when the signal is aborted. */
  async available(signal: AbortSignal): Promise<void> {
    if (this.free > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.push(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
