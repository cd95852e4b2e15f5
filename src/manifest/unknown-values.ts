// Unknown parts of a document: those that could not be read, or that are wrong already. Every later phase checks everything
// else and reports nothing about these, so that one mistake is reported once and hides no other. Knows nothing of what a
// document means.
//
// Two things can be unknown:
//
//   a value      it stands at its path, but nobody knows what it is
//   an entry     a block may have entries that could not be read (the block is "open"), while those that were read are known
//
// Example:
//
//   reserved_addrs:
//     db: { region: eu }
//     cache: { region: [eu       # never closed
//   tls_edges:
//     web: { hostports: ["${reserved_addrs.cache.addr}"], backend: 5 }
//
// `reserved_addrs.cache` is an unknown value, and the document is open behind it. So `has(reserved_addrs.cache.region)` is true, and the
// reference to it is not called unknown. `mayHave(reserved_addrs.other)` is true, because the block is open there. The value
// `backend: 5` is known and wrong, and is reported as if the rest were fine; then it is added here, so that no rule about
// backends speaks of it again. Parts are only ever added, which is why phases may run in any order.

import type { Path } from '../core/json.ts';

/** A path as one map key; each segment follows a NUL, which cannot occur in a manifest. */
export function pathKey(path: readonly string[]): string {
  return path.map((segment) => `\0${segment}`).join('');
}

function segmentsOf(key: string): string[] {
  return key.split('\0').slice(1);
}

/**
 * Values that are unknown, and blocks that may have unknown entries. Values are added, never removed. An unknown value suppresses only checks
 * whose result could depend on it: an incomplete block does not affect its known entries.
 */
export class UnknownValues {
  readonly #isThere: (path: Path) => boolean;
  readonly #values = new Set<string>();
  readonly #open = new Set<string>();
  /** Paths above unknown values. */
  readonly #above = new Set<string>();

  /** `isThere` tells whether the document has a value at a path. */
  constructor(isThere: (path: Path) => boolean) {
    this.#isThere = isThere;
  }

  /** True while everything is known. */
  isEmpty(): boolean {
    return this.#values.size === 0 && this.#open.size === 0;
  }

  /** Marks the value at the path as unknown. */
  add(path: Path): void {
    this.#values.add(pathKey(path));
    this.#noteAbove(path);
  }

  /** Marks the block at the path as incomplete. */
  addOpen(path: Path): void {
    this.#open.add(pathKey(path));
    this.#noteAbove([...path, '']);
  }

  #noteAbove(path: Path): void {
    for (let length = path.length - 1; length >= 0; length--) {
      const key = pathKey(path.slice(0, length));
      if (this.#above.has(key)) return;
      this.#above.add(key);
    }
  }

  /** True when the value at the path, or one that contains it, is unknown. */
  has(path: Path): boolean {
    return this.#values.size > 0 && prefixes(path).some((key) => this.#values.has(key));
  }

  /** True when a path without a known value may have one: it, or a block around it, is incomplete. */
  mayHave(path: Path): boolean {
    if (this.has(path)) return true;
    if (this.#open.size === 0) return false;
    return prefixes(path.slice(0, -1)).some(
      (key, length) => this.#open.has(key) && !this.#isThere(entryOf(path, length)),
    );
  }

  /** True when the value at the path is completely known. */
  isWhole(path: Path): boolean {
    return !this.has(path) && !this.#above.has(pathKey(path));
  }

  /**
   * Copies the unknown parts of another document. `translate` maps a path, or returns undefined where it does not matter;
   * blocks that exist here anyway become incomplete.
   */
  takeOver(
    other: UnknownValues,
    translate: (path: Path) => { readonly path: Path; readonly isThere: boolean } | undefined,
  ): void {
    for (const key of other.#values) {
      const found = translate(segmentsOf(key));
      if (found?.isThere === true) this.addOpen(found.path);
      else if (found !== undefined) this.add(found.path);
    }
    for (const key of other.#open) {
      const found = translate(segmentsOf(key));
      if (found !== undefined) this.addOpen(found.path);
    }
  }
}

/** The entry of an enclosing block that contains the path; several files may add to one section of a document. */
function entryOf(path: Path, length: number): Path {
  return path.slice(0, length === 0 ? 2 : length + 1);
}

function prefixes(path: Path): string[] {
  const made = [''];
  for (let length = 1; length <= path.length; length++) made.push(pathKey(path.slice(0, length)));
  return made;
}
