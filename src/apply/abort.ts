// Waiting for a signal.

/** Resolves once the signal is aborted; never without one. */
export function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => {
      resolve();
    });
  });
}
