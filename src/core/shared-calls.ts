// Calls that are asked for by many at the same time.

/**
 * One call for each key at a time. Those that ask while one is under way wait for the next and share it, so that its answer is as
 * fresh for each of them as one of their own.
 */
export function sharedCalls<K, T>(call: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const next = new Map<K, Promise<T>>();
  const last = new Map<K, Promise<unknown>>();
  return (key) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const before = last.get(key) ?? Promise.resolve();
    const begun = before.then(() => {
      next.delete(key);
      return call(key);
    });
    next.set(key, begun);
    last.set(
      key,
      begun.catch(() => undefined),
    );
    return begun;
  };
}
