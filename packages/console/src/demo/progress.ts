import { type Census, isFinished } from '@dist-crawl/core/frontier';
import { cut } from '../terminal/columns.js';
import { showCount, showDuration, showRate } from '../terminal/figures.js';

/** How a crawl stands, for a display that is drawn again and again. */
export interface Progress {
  readonly elapsedMs: number;
  readonly queued: number;
  readonly inFlight: number;
  readonly done: number;
  readonly failed: number;
  readonly dead: number;
  /** All pages that will come to an end. */
  readonly total: number;
  readonly pagesPerSecond: number;
  /** Null while nothing moves. */
  readonly leftMs: number | null;
  /** No worker is there yet. */
  readonly starting: boolean;
  readonly finished: boolean;
}

/** Over which time the rate is measured: short enough to show a change, long enough to stand still. */
const RATE_OVER_MS = 5_000;

/** Turns one census after the other into progress. */
export function createProgressMeter(total: number): (census: Census) => Progress {
  const looks: { at: number; ended: number }[] = [];
  let began: number | undefined;
  return (census) => {
    began ??= census.now;
    const ended = census.done + census.dead;
    looks.push({ at: census.now, ended });
    while (looks.length > 2 && (looks[1]?.at ?? 0) < census.now - RATE_OVER_MS) looks.shift();
    const first = looks[0] ?? { at: census.now, ended };
    const seconds = (census.now - first.at) / 1000;
    const pagesPerSecond = seconds > 0 ? Math.max(0, ended - first.ended) / seconds : 0;
    const left = Math.max(0, total - ended);
    return {
      elapsedMs: census.now - began,
      queued: census.waiting,
      inFlight: census.inFlight,
      done: census.done,
      failed: census.failed,
      dead: census.dead,
      total,
      pagesPerSecond,
      leftMs: left === 0 ? 0 : pagesPerSecond > 0 ? (left / pagesPerSecond) * 1000 : null,
      starting: census.workers.length === 0 && ended === 0,
      finished: isFinished(census),
    };
  };
}

const BAR_WIDTH = 30;

/** Two lines for a terminal. */
export function showProgressBlock(progress: Progress, width: number): string[] {
  const { queued, inFlight, done, failed, dead, total } = progress;
  const share = total === 0 ? 1 : Math.min(1, (done + dead) / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return [
    `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${speed(progress)}`,
    `queued ${showCount(queued)}   in flight ${showCount(inFlight)}   done ${showCount(done)}   failed ${showCount(failed)}   dead ${showCount(dead)}`,
  ].map((line) => cut(line, width - 1));
}

/** One line for a log. */
export function showProgressLine(progress: Progress): string {
  const { elapsedMs, queued, inFlight, done, failed, dead } = progress;
  const counts = `queued ${queued}, in flight ${inFlight}, done ${done}, failed ${failed}, dead ${dead}`;
  return `${showDuration(elapsedMs).padStart(6)}  ${counts}, ${speed(progress)}`;
}

function speed({ pagesPerSecond, leftMs, starting }: Progress): string {
  if (starting) return 'the nodes are starting';
  const left = leftMs === null ? 'time left unknown' : `${showDuration(leftMs)} left`;
  return `${showRate(pagesPerSecond)} pages/s, ${left}`;
}
