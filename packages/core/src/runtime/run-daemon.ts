import { EXIT } from '../errors/index.js';
import type { Logger } from '../logging/index.js';
import { LifeCycle, type Parts } from './life-cycle.js';
import type { Phase } from './part.js';
import { handleProcess, leave } from './process-events.js';
import { farewell, isPlain } from './report-error.js';
import { isAbort } from './waiting.js';

/** What a daemon's composition may use of the life cycle it belongs to. */
export interface DaemonContext {
  /** Aborted when the daemon begins to stop. */
  readonly signal: AbortSignal;
  readonly phase: () => Phase;
  /** Ends the daemon in good order with code 0, as the first SIGTERM does: for a round that is finished. */
  requestStop(reason: string): void;
  /** Ends the daemon in good order with the exit code of the error. */
  fail(error: unknown): void;
}

export interface DaemonOptions {
  /**
   * Reads flags and settings, makes the logger and the parts, in the order of their start. Nothing is started here. What it
   * throws ends the process: a ConfigError with 78 and a list of all problems.
   */
  readonly compose: (context: DaemonContext) => Parts | Promise<Parts>;
  /**
   * `ignored` is for a child whose parent decides when it stops (a cluster worker: Ctrl-C at a terminal reaches it, too).
   * Default: the first SIGINT or SIGTERM drains, the second ends at once with code 1.
   */
  readonly signals?: 'obeyed' | 'ignored';
}

/** Runs a daemon until it is told to stop, then ends the process. */
export async function runDaemon({ compose, signals = 'obeyed' }: DaemonOptions): Promise<never> {
  const lifeCycle = new LifeCycle();
  let logger: Logger | undefined;
  handleProcess({
    onFirst: (signal) => {
      if (signals === 'obeyed') lifeCycle.requestStop(signal);
    },
    onUncaught: (error) => {
      logger?.fatal({ err: error }, 'unexpected error');
      lifeCycle.fail(error);
    },
    second: signals === 'obeyed' ? 'ends at once' : 'ignored',
  });
  const context: DaemonContext = {
    signal: lifeCycle.signal,
    phase: () => lifeCycle.phase,
    requestStop: (reason) => lifeCycle.requestStop(reason),
    fail: (error) => lifeCycle.fail(error),
  };
  let parts: Parts;
  try {
    parts = await compose(context);
  } catch (error) {
    const stopped = isAbort(error, lifeCycle.signal) ? lifeCycle.ending : undefined;
    if (stopped?.kind === 'clean') return leave({ text: '', stream: 'stdout', code: EXIT.ok });
    return leave(farewell(stopped?.error ?? error));
  }
  logger = parts.logger;
  const ending = await lifeCycle.run(parts);
  if (ending.kind === 'clean') {
    logger.info('stopped');
    return leave({ text: '', stream: 'stdout', code: EXIT.ok });
  }
  const last = farewell(ending.error);
  logger.error({ err: ending.error, exitCode: last.code }, 'stopped after an error');
  return leave(isPlain(ending.error) ? last : { ...last, text: '' });
}
