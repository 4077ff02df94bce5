import type { ProxyAddress } from './proxy-address.js';

/** What is known of one proxy, in this process, since it started. */
export interface ProxyHealth {
  readonly proxy: string;
  readonly answered: number;
  readonly failed: number;
  /** How often it was left out. */
  readonly rests: number;
  /** Left out for so long still; 0: in use. */
  readonly restsMs: number;
  readonly lastError: string | null;
}

export interface HealthRule {
  /** Failures in a row after which a proxy rests. */
  readonly failures: number;
  readonly restSeconds: number;
}

/** A rest grows with each that follows without an answer in between, up to so many times the first. */
const LONGEST_REST = 10;

/** Counts what one proxy does, and decides when it rests. Times in ms of a clock that only goes forward. */
export class ProxyState {
  readonly proxy: ProxyAddress;
  readonly #rule: HealthRule;
  readonly #now: () => number;
  #answered = 0;
  #failed = 0;
  #inRow = 0;
  #rests = 0;
  #restsInRow = 0;
  #restsUntil = 0;
  #lastError: string | null = null;

  constructor(proxy: ProxyAddress, rule: HealthRule, now: () => number) {
    this.proxy = proxy;
    this.#rule = rule;
    this.#now = now;
  }

  get restsMs(): number {
    return Math.max(0, this.#restsUntil - this.#now());
  }

  answered(): void {
    this.#answered += 1;
    this.#inRow = 0;
    this.#restsInRow = 0;
  }

  /** One that comes back from a rest has one try: the next failure sends it back. */
  failed(reason: string): void {
    this.#failed += 1;
    this.#inRow += 1;
    this.#lastError = reason;
    if (this.restsMs > 0 || this.#inRow < this.#rule.failures) return;
    this.#rests += 1;
    const factor = Math.min(LONGEST_REST, 2 ** this.#restsInRow);
    this.#restsInRow += 1;
    this.#restsUntil = this.#now() + this.#rule.restSeconds * 1000 * factor;
  }

  health(): ProxyHealth {
    return {
      proxy: this.proxy.label,
      answered: this.#answered,
      failed: this.#failed,
      rests: this.#rests,
      restsMs: Math.ceil(this.restsMs),
      lastError: this.#lastError,
    };
  }
}
