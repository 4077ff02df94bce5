import { type Frontier, isFinished } from '@dist-crawl/core/frontier';
import { sleep } from '@dist-crawl/core/runtime';
import { createLiveBlock } from '../terminal/live.js';
import type { Terminal } from '../terminal/terminal.js';
import { allEnded, checkAlive } from './cast.js';
import { createProgressMeter, showProgressBlock, showProgressLine } from './progress.js';
import type { RoleProcess } from './role-process.js';

export interface Crew {
  readonly shop: RoleProcess;
  readonly producer: RoleProcess;
  readonly consumers: readonly RoleProcess[];
  readonly scheduler: RoleProcess;
}

export interface CrawlWatch {
  readonly frontier: Frontier;
  readonly pages: number;
  /** Consumers stay when all is done. */
  readonly stay: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 250;
const LINE_EVERY_MS = 2_000;

/** Shows the progress until the crawl is finished. @throws RoleDiedError when a daemon ends before that */
export async function crawlToTheEnd(
  crew: Crew,
  { frontier, pages, stay, terminal, signal }: CrawlWatch,
): Promise<void> {
  const measure = createProgressMeter(pages);
  const live = createLiveBlock(terminal);
  let lastLine = -Infinity;
  for (;;) {
    signal.throwIfAborted();
    checkAlive([crew.shop, crew.scheduler], { mayEnd: false });
    checkAlive([crew.producer], { mayEnd: true });
    // Asked before the census: consumers that ended in good order did so because nothing was left at that time.
    const consumersEnded = allEnded(crew.consumers);
    const census = await frontier.census();
    const finished = crew.producer.exit() !== null && isFinished(census);
    checkAlive(crew.consumers, { mayEnd: !stay && finished });
    const over = finished && (stay || consumersEnded);

    const progress = measure(census);
    if (terminal.interactive) live.draw(showProgressBlock(progress, terminal.columns));
    else if (over || performance.now() - lastLine >= LINE_EVERY_MS) {
      terminal.print(showProgressLine(progress));
      lastLine = performance.now();
    }
    if (over) return live.leave();
    await sleep(LOOK_EVERY_MS, signal);
  }
}
