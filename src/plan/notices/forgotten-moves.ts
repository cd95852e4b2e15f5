// Renames without a `moved` entry: an object whose block is gone, and a block without an object that says the same. The plan would
// delete the one and create the other; the warning has the entry that keeps the object. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { perObject } from '../../core/lazy.ts';
import { compareText } from '../../core/json.ts';
import { plural } from '../../core/text/text.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { isUnder, type Move } from '../../resource/marker/moves.ts';
import { resolveSpec } from '../../resource/resolve.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { DesiredResource, Manifest } from '../../manifest/manifest.ts';
import { knownIn, type Match } from '../match/match.ts';
import { movedEntries } from '../policies/policy.ts';
import { pairUp } from './pair-up.ts';
import { fieldsKey, uniqueValueKeys, type Content } from './same-content.ts';

/** A warning for the renames that are certain, and one for each group that several renames would explain. */
export function forgottenMoves(manifest: Manifest, matched: Match): Diagnostic[] {
  const search = searchAll(manifest, matched);
  if (search === undefined) return [];
  const certain = search.pairs.filter(({ isImplied }) => !isImplied);
  return [...(certain.length === 0 ? [] : [renamed(certain, manifest)]), ...groupsIn(search, KEYS).map(ambiguous)];
}

/** The renames that are certain, and those that follow from them. */
export function certainRenames(manifest: Manifest, matched: Match): readonly Rename[] {
  return searchAll(manifest, matched)?.pairs ?? [];
}

function searchAll(manifest: Manifest, matched: Match): Search | undefined {
  const search = searchIn(manifest, matched);
  if (search !== undefined) while (findPairs(search)) continue;
  return search;
}

/** An object whose block is gone. */
interface Gone {
  readonly live: LiveResource;
  readonly address: string;
}

/** An object whose block is gone, and the address of a block that says the same. */
export interface Rename extends Move {
  readonly live: LiveResource;
  readonly words: string;
  /** The move of its parent brings it along. */
  readonly isImplied: boolean;
}

/** What was found so far; it only grows. */
interface Search {
  readonly gone: readonly Gone[];
  readonly missing: readonly DesiredResource[];
  readonly pairs: Rename[];
  readonly paired: Set<Gone | DesiredResource>;
  /** Live objects by the address that they have or would have. */
  readonly known: Map<string, LiveResource>;
}

/**
 * Undefined when nothing left, or nothing came. An object that `removed` names was given up on purpose, and of one that `moved`
 * names the entry was not forgotten.
 */
function searchIn({ resources, moved, removed }: Manifest, matched: Match): Search | undefined {
  const { orphans, pairs } = matched;
  const missing = pairs.filter(({ live }) => live === undefined).map(({ desired }) => desired);
  if (missing.length === 0 || orphans.length === 0) return undefined;
  const asked = new Set(resources.map(({ address }) => address));
  const named = new Set([...moved, ...removed].map(({ from }) => from));
  const gone = orphans
    .map((live): Gone => ({ live, address: live.marker?.address ?? '' }))
    .filter(({ address }) => !asked.has(address) && !isUnder(address, named))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.live.id, b.live.id));
  return { gone, missing, pairs: [], paired: new Set(), known: knownIn(matched) };
}

/** A way to tell that two are the same. */
type Keys = (content: Content) => ReturnType<typeof fieldsKey>;

/** The surest first. */
const KEYS: readonly Keys[] = [uniqueValueKeys, fieldsKey];

/** Pairs what can be paired now; true when that may make more values known. */
function findPairs(search: Search): boolean {
  const before = search.pairs.length;
  for (const keys of KEYS) {
    pairChildren(search);
    for (const { left, right, words } of groupsIn(search, [keys])) {
      const [[gone, ...others], [desired, ...more]] = [left, right];
      if (gone !== undefined && desired !== undefined && others.length + more.length === 0)
        pair(search, { gone, desired, words, isImplied: false });
    }
  }
  return search.pairs.length > before;
}

/** Children with the same name move with their parent. */
function pairChildren(search: Search): void {
  const newParents = new Map(search.pairs.map(({ from, to }) => [from, to]));
  const missingByAddress = new Map(search.missing.map((desired) => [desired.address, desired]));
  for (const gone of search.gone) {
    const segments = gone.address.split('.');
    const parent = newParents.get(segments.slice(0, -2).join('.'));
    const desired = missingByAddress.get([parent, ...segments.slice(-2)].join('.'));
    if (parent !== undefined && desired !== undefined && !search.paired.has(gone))
      pair(search, { gone, desired, words: '', isImplied: true });
  }
}

interface NewPair extends Pick<Rename, 'words' | 'isImplied'> {
  readonly gone: Gone;
  readonly desired: DesiredResource;
}

function pair(search: Search, { gone, desired, words, isImplied }: NewPair): void {
  const { live, address: from } = gone;
  search.pairs.push({ from, to: desired.address, live, words, isImplied });
  search.paired.add(gone).add(desired);
  search.known.set(desired.address, live);
}

/** What is not paired yet, grouped by the first of these keys that both sides share. */
function groupsIn(search: Search, ways: readonly Keys[]) {
  const { gone, missing, paired, known } = search;
  const contentOfGone = ({ live }: Gone): Content => ({
    kind: kindByName(live.kind),
    parentId: live.parentId,
    spec: live.spec,
  });
  const contentOf = ({ kind, parent, spec }: DesiredResource): Content | undefined => {
    const parentId = parent === undefined ? undefined : known.get(parent)?.id;
    if (parent !== undefined && parentId === undefined) return undefined;
    return { kind: kindByName(kind), parentId, spec: resolveSpec(spec, known) };
  };
  const keysIn = (content: Content | undefined) => (content === undefined ? [] : ways.flatMap((keys) => keys(content)));
  const open = <T extends Gone | DesiredResource>(list: readonly T[]) => list.filter((one) => !paired.has(one));
  const keysOfLeft = perObject((one: Gone) => keysIn(contentOfGone(one)));
  const keysOfRight = perObject((one: DesiredResource) => keysIn(contentOf(one)));
  return pairUp(open(gone), open(missing), { keysOfLeft, keysOfRight });
}

/** Longer lists are counted in the message; the entry is always whole. */
const MOST_NAMED = 5;

function namesOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function nameOf({ live, address }: Gone): string {
  return `${address} (${live.id})`;
}

function renamed(pairs: readonly Rename[], manifest: Manifest): Diagnostic {
  const sorted = [...pairs].sort((a, b) => compareText(a.from, b.from));
  const entries = sorted.map(({ from, to }) => `{ from: ${from}, to: ${to} }`).join(', ');
  const [first] = sorted;
  const names = namesOf(sorted.map(({ from, to, live }) => `${from} (${live.id}) as ${to}`));
  const message =
    sorted.length === 1 && first !== undefined
      ? `${first.from} (${first.live.id}) is no longer in the manifest, and ${first.to}, which would be created, has ${first.words}: without an entry of \`moved\`, the object is lost`
      : `${plural(sorted.length, 'object')} would be created anew under other addresses, and are no longer in the manifest under their own: ${names}; without entries of \`moved\`, they are lost`;
  const fix = `if that is a rename, add ${movedEntries(entries, manifest)}`;
  return { code: 'forgotten-move', severity: 'warning', ...(first && { address: first.to }), message, fix };
}

function ambiguous({ left, right, words }: ReturnType<typeof groupsIn>[number]): Diagnostic {
  const candidates = namesOf(right.map(({ address }) => address));
  const message = `${namesOf(left.map(nameOf))} ${left.length === 1 ? 'is' : 'are'} no longer in the manifest, and ${candidates}, which would be created, ${right.length === 1 ? 'has' : 'have'} ${words}: edgeform does not guess which became which`;
  const fix = 'if they were renamed, add an entry `{ from: OLD, to: NEW }` to `moved` for each of them';
  const [first] = right;
  return { code: 'forgotten-move', severity: 'warning', ...(first && { address: first.address }), message, fix };
}
