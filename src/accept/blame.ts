// Which edits the errors of a manifest with all of them are about, by the places that the errors name.

import { addressAt } from '../catalog/address.ts';
import { countWhile } from '../core/bisect.ts';
import { compareRanges, type Diagnostic, type SourceRange } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import type { Edit } from './wanted.ts';

/** Why an edit is left out. */
export interface Blame {
  readonly problem: Diagnostic;
  /** The other edits that the error is about, too: it may be theirs. */
  readonly others: readonly Edit[];
}

/**
 * Each with the first error that it stands at: at the place of the error, else at another place that the error names, else in the
 * block that it is about. Of errors that no edit stands at, nothing is said.
 */
export function blamedEdits(
  problems: readonly Diagnostic[],
  edits: readonly Edit[],
  sourceMap: SourceMap,
): Map<Edit, Blame> {
  const byPlace = new EditsByPlace(edits, sourceMap);
  const blamed = new Map<Edit, Blame>();
  for (const problem of problems) {
    const { nearest, all } = byPlace.about(problem);
    for (const edit of nearest)
      if (!blamed.has(edit)) blamed.set(edit, { problem, others: all.filter((other) => other !== edit) });
  }
  return blamed;
}

interface AtPlace {
  readonly edit: Edit;
  readonly range: SourceRange;
}

/** Edits by their places in the manifest that has them. What an edit removes has an address, and no place. */
class EditsByPlace {
  readonly #inFile: ReadonlyMap<string, readonly AtPlace[]>;
  readonly #inBlock: ReadonlyMap<string | undefined, readonly Edit[]>;

  constructor(edits: readonly Edit[], sourceMap: SourceMap) {
    const placed = edits.flatMap((edit) =>
      edit.value === undefined ? [] : [{ edit, range: sourceMap.value(edit.path) }],
    );
    placed.sort((one, other) => compareRanges(one.range, other.range));
    this.#inFile = groupBy(placed, ({ range }) => range.file);
    this.#inBlock = groupBy(edits, ({ path }) => addressAt(path));
  }

  /** The edits at the nearest place of an error, and those at all of its places. */
  about({ range, related = [], address }: Diagnostic): {
    readonly nearest: readonly Edit[];
    readonly all: readonly Edit[];
  } {
    const own = this.#at(range);
    const others = related.flatMap((other) => this.#at(other.range) ?? []);
    if (own !== undefined) return { nearest: [own], all: [own, ...others] };
    if (others.length > 0 || address === undefined) return { nearest: others, all: others };
    const inBlock = this.#inBlock.get(address) ?? [];
    return { nearest: inBlock, all: inBlock };
  }

  /** The edit whose value has the place in it. */
  #at(range: SourceRange | undefined): Edit | undefined {
    if (range === undefined) return undefined;
    const placed = this.#inFile.get(range.file) ?? [];
    const isBegun = (index: number) => isInOrder(startOf(placed[index]?.range ?? range), startOf(range));
    const before = placed[countWhile(placed.length, isBegun) - 1];
    return before !== undefined && isInside(range, before.range) ? before.edit : undefined;
  }
}

type Point = readonly [line: number, column: number];

const startOf = ({ line, column }: SourceRange): Point => [line, column];
const endOf = ({ endLine, endColumn }: SourceRange): Point => [endLine, endColumn];

function isInside(range: SourceRange, outer: SourceRange): boolean {
  return isInOrder(startOf(outer), startOf(range)) && isInOrder(endOf(range), endOf(outer));
}

function isInOrder([line, column]: Point, [otherLine, otherColumn]: Point): boolean {
  return line < otherLine || (line === otherLine && column <= otherColumn);
}
