import type { Frontier } from '@dist-crawl/core/frontier';

export type JobName = 'retry' | 'archive';

/** What every run tells besides its own figures. */
export interface Report {
  /** False: it was told to stop between two batches. What it did stands, and the next run goes on from there. */
  readonly finished: boolean;
}

/** Work on one site that cron starts. It may be stopped, or repeated from the beginning, between any two steps. */
export interface Job<R extends Report = Report> {
  readonly name: JobName;
  readonly frontier: Frontier;
  /** Runs until nothing is left to do. When `signal` is aborted it finishes the batch in hand, and returns. */
  runOnce(signal: AbortSignal): Promise<R>;
  /** The report in words; null: there was nothing to do. */
  describe(report: R): string | null;
  /** Whether somebody should look at it. */
  isGrave?(report: R): boolean;
}

/** `1 URL`, `2 URLs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
