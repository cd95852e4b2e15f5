// Work that may fail, where why it failed makes no difference.

/** What the work gives; undefined when it throws, whatever that is. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
