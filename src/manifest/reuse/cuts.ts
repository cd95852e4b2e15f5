// The paths that a `without` drops, as a tree: a value and the paths cost what they have, and not one times the other.

import type { Path } from '../../core/json.ts';
import type { ParsedFile } from '../text/parse.ts';

/** An entry of `without`, which must drop something. */
export interface DroppedPath {
  readonly file: ParsedFile;
  /** Where the entry stands in the file. */
  readonly place: Path;
  /** As written. */
  readonly text: string;
  /** From the value that it drops something of. */
  readonly path: Path;
  /** The same path from the top of the plain manifest. */
  readonly target: Path;
  /** True for an entry of a block whose presets an overlay has replaced: it was written for others. */
  readonly mayDropNothing: boolean;
  hasDropped: boolean;
}

/** What is dropped of a value. */
export interface Cuts {
  /** The entry that drops the value as a whole. */
  readonly here: DroppedPath | undefined;
  /** What is dropped of its members. */
  readonly below: ReadonlyMap<string, Cuts>;
}

export const NO_CUTS: Cuts = { here: undefined, below: new Map() };

interface CutNode extends Cuts {
  here: DroppedPath | undefined;
  readonly below: Map<string, CutNode>;
}

/** A path that is there twice, or below another one, drops nothing. */
export function cutsOf(paths: readonly DroppedPath[]): Cuts {
  if (paths.length === 0) return NO_CUTS;
  const root = emptyNode();
  for (const dropped of paths) {
    let node = root;
    for (const key of dropped.path) node = nodeBelow(node, key);
    node.here ??= dropped;
  }
  return root;
}

function nodeBelow({ below }: CutNode, key: string): CutNode {
  const known = below.get(key);
  if (known !== undefined) return known;
  const added = emptyNode();
  below.set(key, added);
  return added;
}

function emptyNode(): CutNode {
  return { here: undefined, below: new Map() };
}

export function cutsBelow({ below }: Cuts, key: string): Cuts {
  return below.get(key) ?? NO_CUTS;
}
