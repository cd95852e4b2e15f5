// Of many edits, those that a manifest can have together. Only what the rest is not valid with is left out, and the manifest is loaded a
// logarithmic number of times for that, whatever is wrong: first by the places of its errors, and by halves where they tell nothing.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import { blamedEdits, type Blame } from './blame.ts';
import type { Reason } from './reasons.ts';
import type { Edit } from './wanted.ts';

/** Why an edit is not written. */
export interface Why {
  readonly reason: Reason;
  /** What is wrong with the manifest that has it. */
  readonly problem?: Diagnostic | undefined;
}

/** A manifest with some edits. */
export interface Tried {
  /** Those that a text cannot have. */
  readonly failed: ReadonlyMap<Edit, Reason>;
  /** Errors of the manifest with all of them. */
  readonly problems: readonly Diagnostic[];
  /** Undefined where it was not loaded. */
  readonly sourceMap?: SourceMap | undefined;
}

const INVALID: Why = { reason: 'invalid' };

interface Kept {
  readonly kept: readonly Edit[];
  readonly left: ReadonlyMap<Edit, Why>;
}

type TryWith = (edits: readonly Edit[]) => Tried;

export function keepValid(edits: readonly Edit[], tryWith: TryWith): Kept {
  const halvings = Math.ceil(Math.log2(edits.length + 1));
  const search = new Search(tryWith, 2 * halvings + 8);
  const byPlaces = withoutBlamed(edits, tryWith, halvings + 4);
  const { blamed, isValid } = byPlaces;
  const valid = isValid ? byPlaces.rest : search.keep([], suspectsLast(byPlaces.rest, blamed));
  const kept = new Set(search.keep(valid, [doubtful(blamed, valid)]));
  const reasons = new Map([...byPlaces.refused, ...search.untried, ...whyBlamed(blamed), ...search.tried]);
  const left = edits.filter((edit) => !kept.has(edit));
  return {
    kept: edits.filter((edit) => kept.has(edit)),
    left: new Map(left.map((edit) => [edit, reasons.get(edit) ?? INVALID])),
  };
}

interface WithoutBlamed {
  readonly rest: readonly Edit[];
  /** False where errors are left whose places tell nothing. */
  readonly isValid: boolean;
  readonly refused: ReadonlyMap<Edit, Why>;
  readonly blamed: ReadonlyMap<Edit, Blame>;
}

/** Leaves out what a text cannot have and what stands at the places of errors, until nothing is wrong or nothing more is found. */
function withoutBlamed(edits: readonly Edit[], tryWith: TryWith, mostRounds: number): WithoutBlamed {
  const refused = new Map<Edit, Why>();
  const blamed = new Map<Edit, Blame>();
  let rest = edits;
  for (let rounds = 0; ; rounds++) {
    const { failed, problems, sourceMap } = tryWith(rest);
    if (failed.size === 0 && problems.length === 0) return { rest, isValid: true, refused, blamed };
    for (const [edit, reason] of failed) refused.set(edit, { reason });
    const isByPlace = failed.size === 0 && rounds < mostRounds && sourceMap !== undefined;
    const found = isByPlace ? blamedEdits(problems, rest, sourceMap) : new Map<Edit, Blame>();
    for (const [edit, blame] of found) blamed.set(edit, blame);
    if (failed.size + found.size === 0) return { rest, isValid: false, refused, blamed };
    rest = rest.filter((edit) => !failed.has(edit) && !found.has(edit));
  }
}

function whyBlamed(blamed: ReadonlyMap<Edit, Blame>): [Edit, Why][] {
  return [...blamed].map(([edit, { problem }]) => [edit, { reason: 'invalid', problem }]);
}

/** The first one that may have been blamed for what another one did, which is left out, too; and those that were blamed after it. */
function doubtful(blamed: ReadonlyMap<Edit, Blame>, kept: readonly Edit[]): readonly Edit[] {
  const staying = new Set(kept);
  const inOrder = [...blamed];
  const first = inOrder.findIndex(([, { others }]) => others.some((other) => !staying.has(other)));
  return first < 0 ? [] : inOrder.slice(first).map(([edit]) => edit);
}

/** What has nothing in common with what was blamed comes first. */
function suspectsLast(edits: readonly Edit[], blamed: ReadonlyMap<Edit, Blame>): readonly (readonly Edit[])[] {
  const fields = new Set([...blamed.keys()].map(({ path }) => path.at(-1)));
  const isSuspect = ({ path }: Edit) => fields.has(path.at(-1));
  return [edits.filter((edit) => !isSuspect(edit)), edits.filter(isSuspect)];
}

interface Known {
  readonly known?: Why;
  readonly around?: Why;
}

/** Adds edits to those that are valid together, by halves. What is not known when no try is left is left out. */
class Search {
  /** What is left out, each by a try of its own. */
  readonly tried = new Map<Edit, Why>();
  /** What is left out with others. */
  readonly untried = new Map<Edit, Why>();
  readonly #tryWith: TryWith;
  #tries: number;

  constructor(tryWith: TryWith, tries: number) {
    this.#tryWith = tryWith;
    this.#tries = tries;
  }

  /** All that can be kept, group by group. */
  keep(base: readonly Edit[], groups: readonly (readonly Edit[])[]): readonly Edit[] {
    return groups.reduce((kept, group) => this.#add(kept, group), base);
  }

  /** `known`: why they cannot all be added; `around`: why more cannot. */
  #add(base: readonly Edit[], edits: readonly Edit[], { known, around = INVALID }: Known = {}): readonly Edit[] {
    if (edits.length === 0) return base;
    const all = [...base, ...edits];
    const isTried = known !== undefined || this.#tries > 0;
    const why = known ?? (isTried ? this.#whyNot(all) : around);
    if (why === undefined) return all;
    if (edits.length === 1 || this.#tries <= 0) {
      const left = edits.length === 1 && isTried ? this.tried : this.untried;
      for (const edit of edits) left.set(edit, why);
      return base;
    }
    const middle = edits.length >>> 1;
    const first = this.#add(base, edits.slice(0, middle), { around: why });
    const isWhole = first.length === base.length + middle;
    return this.#add(first, edits.slice(middle), isWhole ? { known: why } : { around: why });
  }

  #whyNot(edits: readonly Edit[]): Why | undefined {
    this.#tries -= 1;
    const { failed, problems } = this.#tryWith(edits);
    const [reason] = failed.values();
    const [problem] = problems;
    if (reason !== undefined) return { reason };
    return problem === undefined ? undefined : { reason: 'invalid', problem };
  }
}
