/** How often one URL (path and query) was asked for. */
export interface PathCount {
  readonly requests: number;
  /** Answers with status 200 that were sent to the last byte. */
  readonly complete: number;
}

/** What a shop served since it started, or was reset. */
export interface ShopCounts {
  readonly requests: number;
  readonly complete: number;
  readonly bytes: number;
  readonly inFlight: number;
  /** The most requests that were in flight at one time. */
  readonly maxInFlight: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** By kind of fault: how many requests it hit. */
  readonly faults: Readonly<Record<string, number>>;
  readonly userAgents: Readonly<Record<string, number>>;
  readonly paths: Readonly<Record<string, PathCount>>;
  /** When each request arrived: milliseconds since 1970, in order. */
  readonly times: readonly number[];
}

/** Keeps the counts. One a shop. */
export class ShopCounter {
  #requests = 0;
  #complete = 0;
  #bytes = 0;
  #inFlight = 0;
  #maxInFlight = 0;
  #statuses = new Map<string, number>();
  #faults = new Map<string, number>();
  #userAgents = new Map<string, number>();
  #paths = new Map<string, { requests: number; complete: number }>();
  #times: number[] = [];

  /** A request came. Gives which one of this URL it is, from 1. */
  arrived(url: string, userAgent: string): number {
    this.#requests += 1;
    this.#inFlight += 1;
    this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
    this.#times.push(performance.timeOrigin + performance.now());
    increase(this.#userAgents, userAgent);
    const path = this.#paths.get(url) ?? { requests: 0, complete: 0 };
    path.requests += 1;
    this.#paths.set(url, path);
    return path.requests;
  }

  /** A fault was chosen for a request. */
  hit(kind: string): void {
    increase(this.#faults, kind);
  }

  /** A request is over. `status` null: the connection was cut before there was one. */
  ended(url: string, answer: { status: number | null; complete: boolean; bytes: number }): void {
    this.#inFlight = Math.max(0, this.#inFlight - 1);
    this.#bytes += answer.bytes;
    increase(this.#statuses, String(answer.status ?? 'none'));
    if (!answer.complete || answer.status !== 200) return;
    this.#complete += 1;
    const path = this.#paths.get(url);
    if (path !== undefined) path.complete += 1;
  }

  read(): ShopCounts {
    return {
      requests: this.#requests,
      complete: this.#complete,
      bytes: this.#bytes,
      inFlight: this.#inFlight,
      maxInFlight: this.#maxInFlight,
      statuses: Object.fromEntries(this.#statuses),
      faults: Object.fromEntries(this.#faults),
      userAgents: Object.fromEntries(this.#userAgents),
      paths: Object.fromEntries([...this.#paths].map(([path, count]) => [path, { ...count }])),
      times: [...this.#times],
    };
  }

  /** Starts anew, attempts included. What is in flight stays so. */
  reset(): void {
    this.#requests = 0;
    this.#complete = 0;
    this.#bytes = 0;
    this.#maxInFlight = this.#inFlight;
    this.#statuses = new Map();
    this.#faults = new Map();
    this.#userAgents = new Map();
    this.#paths = new Map();
    this.#times = [];
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
