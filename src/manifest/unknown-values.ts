// Which parts of a document are not known: what could not be read, or is wrong already. Later phases judge everything
// else and say nothing of these. Knows nothing of what the document means.

import type { Path } from '../core/json.ts';

/** Path segments as one map key; each is behind a NUL, which no text of a manifest has. */
export function pathKey(path: readonly string[]): string {
  return path.map((segment) => `\0${segment}`).join('');
}

function segmentsOf(key: string): string[] {
  return key.split('\0').slice(1);
}

/**
 * Values that are not known, and blocks that may have more entries than are known. It only grows. What is not known silences
 * only judgements that could turn out differently with it: an entry that is there gets nothing more from a block around it.
 */
export class UnknownValues {
  readonly #isThere: (path: Path) => boolean;
  readonly #values = new Set<string>();
  readonly #open = new Set<string>();
  /** Paths above values that are not known. */
  readonly #above = new Set<string>();

  /** `isThere` tells whether something of the document is at a path. */
  constructor(isThere: (path: Path) => boolean) {
    this.#isThere = isThere;
  }

  /** True while all is known. */
  isEmpty(): boolean {
    return this.#values.size === 0 && this.#open.size === 0;
  }

  /** Notes that the value at the path is not known. */
  add(path: Path): void {
    this.#values.add(pathKey(path));
    this.#noteAbove(path);
  }

  /** Notes that the block at the path may have more entries. */
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

  /** True when the value at the path, or one that it lies in, is not known. */
  has(path: Path): boolean {
    return this.#values.size > 0 && prefixes(path).some((key) => this.#values.has(key));
  }

  /** True when something may be at a path at which nothing is known to be: it, or a block around it, is not wholly known. */
  mayHave(path: Path): boolean {
    if (this.has(path)) return true;
    if (this.#open.size === 0) return false;
    return prefixes(path.slice(0, -1)).some(
      (key, length) => this.#open.has(key) && !this.#isThere(entryOf(path, length)),
    );
  }

  /** True when all of the value at the path is known. */
  isWhole(path: Path): boolean {
    return !this.has(path) && !this.#above.has(pathKey(path));
  }

  /**
   * Takes over what another document does not know. `translate` gives the path here, or undefined where that does not
   * matter; of what is there all the same, there may be more.
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

/** The entry of a block around a path that the path lies in; several files may add to one section of a document. */
function entryOf(path: Path, length: number): Path {
  return path.slice(0, length === 0 ? 2 : length + 1);
}

function prefixes(path: Path): string[] {
  const made = [''];
  for (let length = 1; length <= path.length; length++) made.push(pathKey(path.slice(0, length)));
  return made;
}
