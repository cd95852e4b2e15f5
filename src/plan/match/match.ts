// Matches the manifest with live objects: by pinned id, then by marker (ADR-0003). Never guesses.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { partition } from '../../core/group.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { scopeOfStack, ownershipIn, withoutMisplaced, type Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { isSuccessor } from '../../resource/marker/succession.ts';
import type { DesiredResource, Manifest } from '../../manifest/manifest.ts';
import { importsIn, type ImportsFound } from './imports.ts';
import { conceal } from './conceal.ts';
import { bothExist, duplicate, misplaced, severalTransferred } from './match-problems.ts';
import {
  noSuchObject,
  notPinned,
  occupied,
  otherParent,
  pinnedTwice,
  pinOutdated,
  unreadableMarker,
  type PinProblem,
} from './pin-problems.ts';
import { candidates, isInside, occupantFor, searchIn, transferredTo, unreplaced, type MatchSearch } from './search.ts';
import { findUnclearOwnership } from './unclear-ownership.ts';
import { dispositionsOf, type Dispositions } from './disposition.ts';
import { listedIn } from './listed.ts';

export interface Pair {
  readonly kind: Kind;
  readonly desired: DesiredResource;
  /** Without a misplaced marker, and with secrets opaque. */
  readonly live: LiveResource | undefined;
}

export interface Match {
  readonly ownership: Ownership;
  readonly imports: ImportsFound;
  readonly pairs: readonly Pair[];
  /** The live state, with the objects of the pairs as they are there. */
  readonly snapshot: Snapshot;
  /** What becomes of each live object. */
  readonly dispositions: Dispositions;
  /** Several objects with the same address in their marker, by address. */
  readonly duplicates: ReadonlyMap<string, readonly LiveResource[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Matches the whole manifest with the whole snapshot, or only the resources in `desired`. */
export function match(manifest: Manifest, desired: readonly DesiredResource[], snapshot: Snapshot): Match {
  // A plan without resources takes nothing over.
  const scope = desired.length > 0 ? manifest : { ...scopeOfStack(manifest.stack), moved: manifest.moved };
  const ownership = ownershipIn(scope, snapshot.resources);
  const search = searchIn(manifest, snapshot, ownership);
  const liveByAddress = matchAll(desired, search);
  const isReleased = listedIn(manifest, search.takenBy, 'release');
  const unclear = unclearObjects(desired, { snapshot, search, liveByAddress, isReleased });
  const unasked = snapshot.resources.filter(({ id }) => !search.takenBy.has(id));
  return {
    ownership,
    imports: importsIn(manifest, snapshot),
    snapshot: withMatched(snapshot, liveByAddress),
    pairs: pairsOf(desired, search, liveByAddress),
    dispositions: dispositionsOf(snapshot.resources, {
      ownership,
      takenBy: search.takenBy,
      paired: new Set([...liveByAddress.values()].map(({ id }) => id)),
      redundant: search.redundant,
      isReleased,
      isListed: listedIn(manifest, search.takenBy, 'destroy'),
      unclearAs: ({ id }) => unclear.addresses.get(id),
    }),
    duplicates: search.duplicates,
    diagnostics: [
      ...search.diagnostics,
      ...unasked.flatMap((live) => misplaced(live, ownership)),
      ...unclear.diagnostics,
    ],
  };
}

/** The objects of blocks, and imports, by address. */
export function knownIn({ pairs, imports }: Pick<Match, 'pairs' | 'imports'>): Map<string, LiveResource> {
  const known = new Map(imports.known);
  for (const { desired, live } of pairs) if (live !== undefined) known.set(desired.address, live);
  return known;
}

type LiveByAddress = ReadonlyMap<string, LiveResource>;

/** Parents first, because the match of a child depends on its parent's. */
function matchAll(desired: readonly DesiredResource[], search: MatchSearch): LiveByAddress {
  const [parents, children] = partition(desired, ({ parent }) => parent === undefined);
  return new Map([...matchLevel(parents, search), ...matchLevel(children, search)]);
}

interface Matched {
  readonly snapshot: Snapshot;
  readonly search: MatchSearch;
  readonly liveByAddress: LiveByAddress;
  readonly isReleased: (live: LiveResource) => boolean;
}

function unclearObjects(desired: readonly DesiredResource[], matched: Matched) {
  const { snapshot, search, liveByAddress, isReleased } = matched;
  const origins = desired.flatMap(({ address }) => search.origins(address).map((origin) => [origin, address] as const));
  return findUnclearOwnership(
    snapshot.resources.filter((live) => search.ownership.of(live).is === 'unclear'),
    {
      addresses: new Map(origins),
      isReleased,
      isMissing: (address) => desired.length > 0 && search.asked.has(address) && !liveByAddress.has(address),
    },
  );
}

/** Without those of which several objects exist: a person has to say which one is right. */
function pairsOf(desired: readonly DesiredResource[], { duplicates }: MatchSearch, live: LiveByAddress): Pair[] {
  const isDuplicate = (address = '') => duplicates.has(address);
  return desired
    .filter(({ address, parent }) => !isDuplicate(address) && !isDuplicate(parent))
    .map((resource) => ({ kind: kindByName(resource.kind), desired: resource, live: live.get(resource.address) }));
}

function withMatched(snapshot: Snapshot, liveByAddress: LiveByAddress): Snapshot {
  const matched = new Map([...liveByAddress.values()].map((live) => [live.id, live]));
  return { ...snapshot, resources: snapshot.resources.map((live) => matched.get(live.id) ?? live) };
}

/** Live objects by address. Pinned ids come first, so that no marker takes an object that is pinned. */
function matchLevel(level: readonly DesiredResource[], search: MatchSearch): Map<string, LiveResource> {
  const found = new Map<string, LiveResource>();
  const takeIf = ({ address, spec }: DesiredResource, live: LiveResource | undefined) => {
    if (live === undefined) return;
    found.set(address, conceal(kindByName(live.kind), spec, withoutMisplaced(live, search.ownership)));
    search.takenBy.set(live.id, address);
    search.liveIdByAddress.set(address, live.id);
  };
  for (const resource of level) takeIf(resource, findPinned(resource, search));
  for (const resource of level) if (!found.has(resource.address)) takeIf(resource, findMarked(resource, search));
  return found;
}

function findPinned(resource: DesiredResource, search: MatchSearch): LiveResource | undefined {
  const id = resource.lifecycle.pin?.id;
  if (id === undefined) return undefined;
  const successor = findSuccessor(resource, id, search);
  if (successor !== undefined) return successor;
  const live = search.byId.get(id);
  const problem = pinProblem(resource, id, live, search);
  if (problem === undefined) return live;
  search.diagnostics.push(notPinned(resource, id, problem));
  return undefined;
}

/** The stack's own successor of a pinned object: it replaced it, or exists while the pinned one is gone. */
function findSuccessor(resource: DesiredResource, id: string, search: MatchSearch): LiveResource | undefined {
  const { address } = resource;
  const own = candidates(resource, address, search).filter((live) => live.id !== id);
  const old = search.byId.get(id);
  const [only, ...others] = own;
  const successor =
    old === undefined
      ? (own.find((live) => live.marker?.replaces === id) ?? (others.length === 0 ? only : undefined))
      : own.find((live) => isSuccessor(live, old, search.origins));
  if (successor === undefined) return undefined;
  search.diagnostics.push(pinOutdated(resource, id, successor));
  return successor;
}

/** Why the object of an id is not that of the block. */
function pinProblem(
  resource: DesiredResource,
  id: string,
  live: LiveResource | undefined,
  search: MatchSearch,
): PinProblem | undefined {
  if (live?.kind !== resource.kind) return noSuchObject(resource);
  const other = search.takenBy.get(id);
  if (other !== undefined) return pinnedTwice(resource, other);
  const status = search.ownership.of(live);
  if (status.is === 'unclear') return unreadableMarker(live, status.problem.what);
  if (!isInside(resource, live, search)) return otherParent(resource);
  const own = occupantFor(resource, live, search);
  return own === undefined ? undefined : occupied(own);
}

/** The object whose marker has the address, or one that it was moved from. */
function findMarked(resource: DesiredResource, search: MatchSearch): LiveResource | undefined {
  const { address } = resource;
  const own = candidates(resource, address, search);
  const moved = search
    .origins(address)
    .filter((origin) => !search.asked.has(origin))
    .map((origin) => unreplaced([...candidates(resource, origin, search), ...own], search))
    .map((found) => found.filter((live) => !own.includes(live)))
    .find((found) => found.length > 0);
  if (own.length > 0 && moved !== undefined) {
    search.diagnostics.push(bothExist(address, own, moved));
    for (const live of moved) search.takenBy.set(live.id, address);
  }
  const ours = own.length > 0 ? own : (moved ?? []);
  const all = ours.length > 0 ? ours : transferredTo(resource, search);
  const found = all.length > 1 ? all.filter(({ isRedundant }) => isRedundant !== true) : all;
  const redundant = all.filter((live) => !found.includes(live));
  for (const { id } of redundant) search.redundant.set(id, address);
  if (found.length <= 1) return found[0];
  for (const live of found) search.takenBy.set(live.id, address);
  search.duplicates.set(address, found);
  search.diagnostics.push(ours.length > 0 ? duplicate(address, found) : severalTransferred(address, found));
  return undefined;
}
