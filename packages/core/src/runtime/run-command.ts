import { EXIT } from '../errors/index.js';
import { handleProcess, leave } from './process-events.js';
import { farewell } from './report-error.js';
import { isAbort } from './waiting.js';

const signalExitCode: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143 };

/**
 * Runs a one-shot command, then ends the process with the code that `main` gives (default 0), or that of the error it throws.
 * The first SIGINT or SIGTERM aborts the signal, for `main` to tidy up and return (its code counts) or throw (130, 143); the
 * second ends at once with 1. A reader that closes stdout early (`| head`) ends it quietly.
 */
export async function runCommand(main: (signal: AbortSignal) => Promise<number | void>): Promise<never> {
  const stop = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  const uncaught = new Promise<never>((_resolve, reject) => {
    handleProcess({
      onFirst: (signal) => {
        stoppedBy = signal;
        stop.abort(new Error(`stopped by ${signal}`));
      },
      onUncaught: reject,
      second: 'ends at once',
    });
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
  });
  try {
    const code = await Promise.race([main(stop.signal), uncaught]);
    return await leave({ text: '', stream: 'stdout', code: code ?? EXIT.ok });
  } catch (error) {
    if (stoppedBy !== undefined && isAbort(error, stop.signal)) {
      return leave({ text: '', stream: 'stderr', code: signalExitCode[stoppedBy] ?? EXIT.failure });
    }
    return leave(farewell(error));
  }
}
