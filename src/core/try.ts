// Work that may fail for any reason.

/** The result of the work; undefined when it throws anything. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
