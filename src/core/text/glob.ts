// Names and paths against patterns with `*`, `?` and `**/`, as in a shell. The time is bounded by the product of both lengths, so
// that a pattern from anybody can be tried.

interface Matching<Item, Part> {
  /** True for a part that stands for any number of items. */
  readonly isAny: (part: Part) => boolean;
  readonly fits: (item: Item, part: Part) => boolean;
  /** True for an item that may be among any number of items. */
  readonly isCommon: (item: Item) => boolean;
}

/** Goes back to the last part of any length only: parts before it have matched as early as they could. */
function matches<Item, Part>(
  items: readonly Item[],
  parts: readonly Part[],
  { isAny, fits, isCommon }: Matching<Item, Part>,
): boolean {
  let [at, next] = [0, 0];
  let last: { readonly next: number; at: number } | undefined;
  for (let item = items[at]; item !== undefined; item = items[at]) {
    const part = parts[next];
    if (part !== undefined && isAny(part)) {
      next += 1;
      last = { next, at };
    } else if (part !== undefined && fits(item, part)) {
      at += 1;
      next += 1;
    } else {
      const skipped = last && items[last.at];
      if (last === undefined || skipped === undefined || !isCommon(skipped)) return false;
      last.at += 1;
      [at, next] = [last.at, last.next];
    }
  }
  return parts.slice(next).every(isAny);
}

/** True when the whole name is like the pattern. Wildcards do not match a dot at the beginning, which hides a name. */
export function isLike(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  return matches(Array.from(name), Array.from(pattern), {
    isAny: (part) => part === '*',
    fits: (item, part) => part === '?' || part === item,
    isCommon: () => true,
  });
}

/** The same for a path; `**` as a folder stands for any number of folders that are not hidden. */
export function isPathLike(path: string, pattern: string): boolean {
  const parts = pattern.split('/');
  const last = parts.pop() ?? '';
  const names = path.split('/');
  const name = names.pop() ?? '';
  if (!isLike(name, last)) return false;
  return matches(names, parts, {
    isAny: (part) => part === '**',
    fits: isLike,
    isCommon: (item) => !item.startsWith('.'),
  });
}

export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}
