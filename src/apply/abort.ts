// Waits for an abort signal.

/** Resolves once the signal is aborted; never without one, or if `over` was aborted before. */
export function whenAborted(signal: AbortSignal | undefined, over?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    const end = () => {
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true, ...(over && { signal: over }) });
  });
}
