/** Settles as `work` does, but rejects at once when the signal is aborted: with Redis away, `work` would wait on. */
export async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
