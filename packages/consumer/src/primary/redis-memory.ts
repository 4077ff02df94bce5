import type { Census } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';

/** Counters that only grow, as long as Redis keeps what it was told. */
const GROWING = ['queued', 'claimed', 'done', 'dead', 'failed'] as const;

/** Notices when Redis comes back with less than it had: restarted without its data, or a replica that lacks the last writes. */
export class RedisMemory {
  readonly #logger: Logger;
  readonly #most = new Map<string, number>();
  readonly #emptied = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @returns `emptied` from the loss of all data of a site until somebody has queued URLs again */
  look(site: string, { counters, waiting }: Pick<Census, 'counters' | 'waiting'>): 'whole' | 'emptied' {
    const counted = GROWING.reduce((sum, name) => sum + (counters[name] ?? 0), 0);
    const most = this.#most.get(site) ?? 0;
    this.#most.set(site, counted);
    if (counted === 0 && most > 0) {
      this.#emptied.add(site);
      this.#logger.error(
        { site },
        `${site}: Redis has lost its data: what waited is not known any more. Run \`crawl rebuild\` and the producer again`,
      );
    } else if (counted < most) {
      this.#logger.warn(
        { site, steps: most - counted },
        `${site}: Redis has lost its last ${most - counted} steps (a failover or a crash): ` +
          'pages may be crawled once more; what was queued in that moment is queued by running the producer again',
      );
    }
    if ((counters['queued'] ?? 0) > 0 || waiting > 0) this.#emptied.delete(site);
    return this.#emptied.has(site) ? 'emptied' : 'whole';
  }
}
