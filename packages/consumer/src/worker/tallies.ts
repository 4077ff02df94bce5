import { emptyTally, type Tally } from '../link/messages.js';

/** Counts what the worker did since it last told its primary. */
export class Tallies {
  #tally: Tally = emptyTally();

  saved(pages: number, rows: number, rejectedRows: number): void {
    this.#tally.pages += pages;
    this.#tally.rows += rows;
    this.#tally.rejectedRows += rejectedRows;
  }

  /** Pages crawled again that had not changed. */
  unchanged(pages: number): void {
    this.#tally.pages += pages;
    this.#tally.unchanged += pages;
  }

  unreadablePrices(count: number): void {
    this.#tally.unreadablePrices += count;
  }

  lost(count: number): void {
    this.#tally.lost += count;
  }

  failed(kind: string): void {
    this.#tally.failures[kind] = (this.#tally.failures[kind] ?? 0) + 1;
  }

  /** What was counted; counting starts anew. */
  take(): Tally {
    const tally = this.#tally;
    this.#tally = emptyTally();
    return tally;
  }
}
