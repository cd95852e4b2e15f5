// Waiting for a signal.

/** Resolves once the signal is aborted; never without one, and not when `over` came before. */
export function whenAborted(signal: AbortSignal | undefined, over?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    const end = () => {
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true, ...(over && { signal: over }) });
  });
}
