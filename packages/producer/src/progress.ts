import { MultiBar, Presets } from 'cli-progress';
import type { Logger } from '@dist-crawl/core/logging';
import type { Tally } from './tally.js';

/** Shows how far rounds have come. */
export interface Progress {
  /** From now until the returned function is called. `total` is undefined where nobody knows it. */
  watch(name: string, total: number | undefined, tally: Tally): () => void;
}

const LINE_EVERY_MS = 10_000;
const BAR_EVERY_MS = 200;

/** A log line now and then. */
export function progressLines(logger: Logger, everyMs: number = LINE_EVERY_MS): Progress {
  return {
    watch(name, total, tally) {
      const rate = createRate(tally);
      const timer = setInterval(() => {
        const { dealt, waitsFor } = tally;
        const percent = total === undefined ? '' : ` of ${total} (${Math.floor((100 * dealt) / Math.max(1, total))} %)`;
        const waiting = waitsFor === undefined ? '' : `; waits for ${waitsFor}`;
        logger.info({ site: name, ...tally.figures() }, `${name}: ${dealt}${percent}, ${rate()}/s${waiting}`);
      }, everyMs);
      return () => clearInterval(timer);
    },
  };
}

/** Bars on a terminal, one a site, with the log above them: it takes the log's lines while bars are shown, and at all times. */
export interface Bars extends Progress {
  write(line: string): void;
}

/** Only for a terminal. */
export function createBars(terminal: NodeJS.WriteStream): Bars {
  const options = { stream: terminal, clearOnComplete: true, gracefulExit: false, fps: 5, barsize: 24 };
  const known = '{site} {bar} {percentage}% | {value}/{total} | {rate}/s{waits}';
  const unknown = '{site} {value} URLs | {rate}/s{waits}';
  let bars: MultiBar | undefined;
  let shown = 0;
  // While bars are shown, lines do not wrap: an exit out of turn must not leave the terminal like that.
  const close = (): void => {
    bars?.stop();
    bars = undefined;
    process.off('exit', close);
  };
  const open = (): MultiBar => {
    process.on('exit', close);
    return new MultiBar({ ...options, format: known }, Presets.shades_classic);
  };
  return {
    write(line) {
      if (bars === undefined) {
        terminal.write(line);
        return;
      }
      bars.log(line);
      bars.update(); // at once: the line that tells of a crash must not wait for the next redraw
    },
    watch(name, total, tally) {
      const rate = createRate(tally);
      const payload = (): object => ({
        site: name,
        rate: rate(),
        waits: tally.waitsFor === undefined ? '' : ` | waits for ${tally.waitsFor}`,
      });
      bars ??= open();
      shown += 1;
      const bar = bars.create(total ?? 0, 0, payload(), { format: total === undefined ? unknown : known });
      const timer = setInterval(() => bar.update(tally.dealt, payload()), BAR_EVERY_MS);
      return () => {
        clearInterval(timer);
        shown -= 1;
        if (shown === 0) close();
        else bars?.remove(bar);
      };
    },
  };
}

/** URLs dealt with per second since it was last asked, rounded. */
function createRate(tally: Tally): () => number {
  let before = { dealt: tally.dealt, at: performance.now() };
  return () => {
    const now = { dealt: tally.dealt, at: performance.now() };
    const rate = ((now.dealt - before.dealt) * 1000) / Math.max(1, now.at - before.at);
    before = now;
    return Math.round(rate);
  };
}
