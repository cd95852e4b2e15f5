// Names and paths against patterns with `*`, `?` and `**/`, as in a shell. The time is bounded by the product of both lengths, so
// that any pattern can be tried.

interface Matching<Item, Part> {
  /** True for a part that stands for any number of items. */
  readonly isAny: (part: Part) => boolean;
  readonly fits: (item: Item, part: Part) => boolean;
  /** True for an item that may be among any number of items. */
  readonly isCommon: (item: Item) => boolean;
}

function matches<Item, Part>(items: readonly Item[], parts: readonly Part[], how: Matching<Item, Part>): boolean {
  const { isAny, fits, isCommon } = how;
  // At each index, whether the items so far are like so many parts.
  let reached = [true];
  parts.forEach((part, at) => reached.push(reached[at] === true && isAny(part)));
  for (const item of items) {
    const next = [false];
    parts.forEach((part, at) => {
      const isOne = reached[at] === true && fits(item, part);
      next.push(isAny(part) ? next[at] === true || (reached[at + 1] === true && isCommon(item)) : isOne);
    });
    reached = next;
  }
  return reached.at(-1) === true;
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
