import type { DaemonContext, Part } from '@dist-crawl/core/runtime';

/** Carries out the order once, and ends the daemon then: in good order, or with the error. */
export function createOneShot(
  run: (signal: AbortSignal) => Promise<void>,
  daemon: Pick<DaemonContext, 'requestStop' | 'fail'>,
): Part {
  let work: Promise<void> | undefined;
  return {
    name: 'round',
    start(signal) {
      work = run(signal).then(
        () => daemon.requestStop('round finished'),
        (error: unknown) => daemon.fail(error),
      );
    },
    stop: async () => await work, // the signal has told it to come to an end
  };
}
