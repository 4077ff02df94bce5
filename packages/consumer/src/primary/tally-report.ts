import type { Logger } from '@dist-crawl/core/logging';
import { emptyTally, type Tally } from '../link/messages.js';

export const REPORT_EVERY_MS = 10_000;

/** Sums up what the workers did and says it in one log line at a time: quiet while nothing happens. */
export class TallyReport {
  readonly #logger: Logger;
  #sum: Tally = emptyTally();
  #since = performance.now();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(tally: Tally): void {
    const sum = this.#sum;
    const failures = { ...sum.failures };
    for (const [kind, count] of Object.entries(tally.failures)) failures[kind] = (failures[kind] ?? 0) + count;
    this.#sum = {
      pages: sum.pages + tally.pages,
      unchanged: sum.unchanged + tally.unchanged,
      rows: sum.rows + tally.rows,
      rejectedRows: sum.rejectedRows + tally.rejectedRows,
      unreadablePrices: sum.unreadablePrices + tally.unreadablePrices,
      lost: sum.lost + tally.lost,
      failures,
    };
  }

  tell(): void {
    const { pages, unchanged, rows, rejectedRows, unreadablePrices, lost, failures } = this.#sum;
    const seconds = (performance.now() - this.#since) / 1000;
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    this.#since = performance.now();
    this.#sum = emptyTally();
    if (pages + failed + lost === 0) return;
    const kinds = Object.entries(failures).map(([kind, count]) => `${kind} ${count}`);
    const parts = [
      `${pages} pages (${(pages / seconds).toFixed(1)}/s)`,
      ...(unchanged > 0 ? [`${unchanged} of them not changed`] : []),
      `${rows} rows`,
      ...(failed > 0 ? [`${failed} failed (${kinds.join(', ')})`] : []),
      ...(rejectedRows > 0 ? [`${rejectedRows} rows set aside`] : []),
      ...(unreadablePrices > 0 ? [`${unreadablePrices} prices not readable`] : []),
      ...(lost > 0 ? [`${lost} lost to other workers`] : []),
    ];
    this.#logger.info(
      { pages, unchanged, rows, failed, failures, rejectedRows, unreadablePrices, lost },
      parts.join(', '),
    );
  }
}
