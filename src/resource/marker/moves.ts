// Renames: which old addresses an address may have, by the manifest's `moved` list. Pure.

/** A rename: the old address of an object, and its new one. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Old addresses of an address, nearest first: its own moves, those of its parent, and moves of moves. */
export type Origins = (address: string) => readonly string[];

/** Builds `Origins` from the `moved` list. Children move with their parent. */
export function originsOf(moved: readonly Move[]): Origins {
  if (moved.length === 0) return () => [];
  const fromByTo = new Map(moved.map((move) => [move.to, move.from]));
  return (address) => {
    const found = new Set<string>();
    const queue = [address];
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      for (const origin of renamedBy(fromByTo, at)) {
        if (origin === address || found.has(origin)) continue;
        found.add(origin);
        queue.push(origin);
      }
    }
    return [...found];
  };
}

/** The addresses that an address was moved to, nearest first. */
export function destinationsOf(moved: readonly Move[]): Origins {
  return originsOf(moved.map(({ from, to }) => ({ from: to, to: from })));
}

/** What one rename makes of an address: one of the address itself, or of any address above it, the nearest first. */
export function renamedBy(renames: ReadonlyMap<string, string>, address: string): string[] {
  const segments = address.split('.');
  return segments.flatMap((_, index) => {
    const length = segments.length - index;
    const other = renames.get(segments.slice(0, length).join('.'));
    return other === undefined ? [] : [[other, ...segments.slice(length)].join('.')];
  });
}

/** True when the list contains the address or one above it. */
export function isUnder(address: string, roots: ReadonlySet<string>): boolean {
  if (roots.size === 0) return false;
  const segments = address.split('.');
  return segments.some((_, index) => roots.has(segments.slice(0, index + 1).join('.')));
}
