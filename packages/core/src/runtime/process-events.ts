import { once } from 'node:events';
import { EXIT } from '../errors/index.js';
import type { Farewell } from './report-error.js';

/**
 * Ctrl-C reaches all processes of a terminal, and pnpm hands on the one that it got besides (1 ms later, as measured): what
 * follows a signal this soon is the same keystroke.
 */
const sameKeystrokeMs = 300;

export interface SignalHandlers {
  /** SIGINT or SIGTERM, the first time. */
  readonly onFirst: (signal: NodeJS.Signals) => void;
  /** An exception or rejection that nobody caught. */
  readonly onUncaught: (error: unknown) => void;
  /** What a second signal does: end the process at once with code 1, or nothing. */
  readonly second: 'ends at once' | 'ignored';
}

/** Takes over the process' signals and uncaught errors. Gives a function that hands them back. */
export function handleProcess({ onFirst, onUncaught, second }: SignalHandlers): () => void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      onFirst(signal);
    } else if (second === 'ends at once' && performance.now() - firstAt > sameKeystrokeMs) {
      process.stderr.write(`second ${signal}: out at once\n`);
      process.exit(EXIT.failure);
    }
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  return () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
  };
}

/** Says the last word and ends the process, whatever timers or sockets are left. */
export async function leave({ text, stream, code }: Farewell): Promise<never> {
  process.exitCode = code;
  const out = process[stream];
  if (text !== '' && out.writable) out.write(text);
  for (const each of [process.stdout, process.stderr]) {
    // Pipes are written in the background on some systems: without this the last lines of a long output are cut off.
    if (each.writableLength > 0 && !each.errored) await once(each, 'drain').catch(() => undefined);
  }
  process.exit(code);
}
