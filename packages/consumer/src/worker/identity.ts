/** The id under which this worker is registered; given by the primary, anew after it was taken for dead. */
export class Identity {
  #worker: string | undefined;
  #waiting: ((worker: string) => void)[] = [];

  set(worker: string): void {
    this.#worker = worker;
    for (const resolve of this.#waiting.splice(0)) resolve(worker);
  }

  /** Nothing is claimed under an id that is off the register. */
  forget(worker: string): void {
    if (this.#worker === worker) this.#worker = undefined;
  }

  get current(): string | undefined {
    return this.#worker;
  }

  /** Waits until the primary has given one. */
  async known(signal: AbortSignal): Promise<string> {
    if (this.#worker !== undefined) return this.#worker;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.push((worker) => {
        signal.removeEventListener('abort', abort);
        resolve(worker);
      });
    });
  }
}
