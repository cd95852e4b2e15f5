// Lists that may be longer than the arguments of a call.

/** Adds the items to the end of a list. `push(...items)` would put each of them on the stack, which overflows at some 100,000. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
