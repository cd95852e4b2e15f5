// Which object whose block is gone is what a block without an object asks for, in one stack or between several. Pure.

import { perObject } from '../../core/lazy.ts';
import { compareText } from '../../core/json.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { isUnder, type Move } from '../../resource/marker/moves.ts';
import { resolveSpec } from '../../resource/resolve.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { DesiredResource, Manifest } from '../../manifest/manifest.ts';
import { disposedAs } from '../match/disposition.ts';
import { knownIn, type Match } from '../match/match.ts';
import { pairUp } from './pair-up.ts';
import { addressedFieldsKey, fieldsKey, uniqueValueKeys, type Content } from './same-content.ts';

/** One stack: what its manifest lacks, and what it has no object for. */
export interface Side {
  readonly manifest: Pick<Manifest, 'stack' | 'resources' | 'moved' | 'removed' | 'transfers'>;
  readonly matched: Pick<Match, 'dispositions' | 'pairs' | 'imports'>;
}

/** An object whose block is gone. */
export interface Gone {
  readonly side: Side;
  readonly live: LiveResource;
  readonly address: string;
}

/** A block that has no object. */
export interface Missing {
  readonly side: Side;
  readonly desired: DesiredResource;
  readonly address: string;
}

/** An object, and the block that says the same. */
export interface ForgottenMove extends Move {
  readonly live: LiveResource;
  /** What both have in common. */
  readonly words: string;
  /** The move of its parent brings it along. */
  readonly isImplied: boolean;
  readonly giver: Side;
  readonly taker: Side;
}

export interface ForgottenMoves {
  readonly pairs: readonly ForgottenMove[];
  /** Of what is not paired, those that may belong to each other. */
  readonly groups: readonly {
    readonly left: readonly Gone[];
    readonly right: readonly Missing[];
    readonly words: string;
  }[];
}

/** What was found so far; it only grows. */
interface Search {
  readonly gone: readonly Gone[];
  readonly missing: readonly Missing[];
  readonly pairs: ForgottenMove[];
  readonly paired: Set<Gone | Missing>;
  /** Live objects by the address that they have or would have, for each stack. */
  readonly known: ReadonlyMap<Side, Map<string, LiveResource>>;
  /** Ways to tell that two are the same, the surest first. */
  readonly ways: readonly Keys[];
}

type Keys = (content: Content, address: string) => ReturnType<typeof fieldsKey>;

/** The moves that were forgotten within one stack. */
export function forgottenWithin(side: Side): ForgottenMoves {
  const { pairs, groups } = searched([side], [uniqueValueKeys, fieldsKey]);
  return { pairs, groups: groups() };
}

/**
 * The moves between stacks that were forgotten: what is no rename within one of them, and is what another one creates. Of
 * several with the same fields, that with the same address is meant; where it cannot be told, there is none.
 */
export function forgottenBetween(sides: readonly Side[]): readonly ForgottenMove[] {
  const involved = sides.filter((side) => goneIn(side).length + missingIn(side).length > 0);
  if (!involved.some((side) => goneIn(side).length > 0) || !involved.some((side) => missingIn(side).length > 0))
    return [];
  const within = involved.flatMap((side) => forgottenWithin(side).pairs);
  const settled = new Set(
    within.flatMap(({ giver, taker, from, to }) => [goneName(giver, from), missingName(taker, to)]),
  );
  const { pairs } = searched(involved, [uniqueValueKeys, addressedFieldsKey, fieldsKey], settled);
  return pairs.filter(({ giver, taker }) => giver !== taker);
}

function goneName({ manifest }: Side, address: string): string {
  return `gone ${manifest.stack} ${address}`;
}

function missingName({ manifest }: Side, address: string): string {
  return `missing ${manifest.stack} ${address}`;
}

function searched(sides: readonly Side[], ways: readonly Keys[], settled: ReadonlySet<string> = new Set()) {
  const search: Search = {
    gone: sides.flatMap(goneIn).filter(({ side, address }) => !settled.has(goneName(side, address))),
    missing: sides.flatMap(missingIn).filter(({ side, address }) => !settled.has(missingName(side, address))),
    pairs: [],
    paired: new Set(),
    known: new Map(sides.map((side) => [side, knownIn(side.matched)])),
    ways,
  };
  if (search.gone.length > 0 && search.missing.length > 0) while (findPairs(search)) continue;
  return { pairs: search.pairs, groups: () => groupsIn(search, ways) };
}

/** An object that `removed` names was given up on purpose, and of one that `moved` names the entry was not forgotten. */
const goneIn = perObject((side: Side): readonly Gone[] => {
  const { resources, moved, removed } = side.manifest;
  const asked = new Set(resources.map(({ address }) => address));
  const named = new Set([...moved, ...removed].map(({ from }) => from));
  return disposedAs(side.matched.dispositions, 'orphan')
    .map(({ live }): Gone => ({ side, live, address: live.marker?.address ?? '' }))
    .filter(({ address }) => !asked.has(address) && !isUnder(address, named))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.live.id, b.live.id));
});

const missingIn = perObject((side: Side): readonly Missing[] =>
  side.matched.pairs.flatMap(({ desired, live }) =>
    live === undefined ? [{ side, desired, address: desired.address }] : [],
  ),
);

/** Pairs what can be paired now; true when that may make more values known. */
function findPairs(search: Search): boolean {
  const before = search.pairs.length;
  for (const keys of search.ways) {
    pairChildren(search);
    for (const { left, right, words } of groupsIn(search, [keys])) {
      const [[gone, ...others], [wanted, ...more]] = [left, right];
      if (gone !== undefined && wanted !== undefined && others.length + more.length === 0)
        pair(search, { gone, wanted, words, isImplied: false });
    }
  }
  return search.pairs.length > before;
}

/** Children with the same name move with their parent. */
function pairChildren(search: Search): void {
  const newParents = new Map(search.pairs.map((one) => [goneName(one.giver, one.from), one]));
  const missing = new Map(search.missing.map((wanted) => [missingName(wanted.side, wanted.address), wanted]));
  for (const gone of search.gone) {
    const segments = gone.address.split('.');
    const parent = newParents.get(goneName(gone.side, segments.slice(0, -2).join('.')));
    if (parent === undefined || search.paired.has(gone)) continue;
    const wanted = missing.get(missingName(parent.taker, [parent.to, ...segments.slice(-2)].join('.')));
    if (wanted !== undefined) pair(search, { gone, wanted, words: '', isImplied: true });
  }
}

interface NewPair extends Pick<ForgottenMove, 'words' | 'isImplied'> {
  readonly gone: Gone;
  readonly wanted: Missing;
}

function pair(search: Search, { gone, wanted, words, isImplied }: NewPair): void {
  const { live, address: from, side: giver } = gone;
  search.pairs.push({ from, to: wanted.address, live, words, isImplied, giver, taker: wanted.side });
  search.paired.add(gone).add(wanted);
  search.known.get(wanted.side)?.set(wanted.address, live);
}

/** What is not paired yet, grouped by the first of these keys that both sides share. */
function groupsIn({ gone, missing, paired, known }: Search, ways: readonly Keys[]) {
  const contentOfGone = ({ live }: Gone): Content => ({
    kind: kindByName(live.kind),
    parentId: live.parentId,
    spec: live.spec,
  });
  const contentOf = ({ side, desired: { kind, parent, spec } }: Missing): Content | undefined => {
    const own = known.get(side) ?? new Map<string, LiveResource>();
    const parentId = parent === undefined ? undefined : own.get(parent)?.id;
    if (parent !== undefined && parentId === undefined) return undefined;
    return { kind: kindByName(kind), parentId, spec: resolveSpec(spec, own) };
  };
  const keysIn = (content: Content | undefined, address: string) =>
    content === undefined ? [] : ways.flatMap((keys) => keys(content, address));
  const open = <T extends Gone | Missing>(list: readonly T[]) => list.filter((one) => !paired.has(one));
  const keysOfLeft = perObject((one: Gone) => keysIn(contentOfGone(one), one.address));
  const keysOfRight = perObject((one: Missing) => keysIn(contentOf(one), one.address));
  return pairUp(open(gone), open(missing), { keysOfLeft, keysOfRight });
}
