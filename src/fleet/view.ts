// The part of a live state that can matter to one stack, from indexes that are made once for all stacks of a service.
// Knows nothing of runs: the plan of a part is the plan of the whole.

import { kindByName } from '../catalog/lookup.ts';
import { groupBy, groupEntries } from '../core/group.ts';
import { lazy, perObject } from '../core/lazy.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { liveByAddress } from '../plan/lookup.ts';
import { match } from '../plan/match/match.ts';
import { unlistedReferences } from '../plan/match/unread-kinds.ts';
import { idsIn } from '../resource/references.ts';
import { isUnresolved, resolveSpec } from '../resource/resolve.ts';
import type { LiveResource, Snapshot, WholeSnapshot } from '../resource/snapshot.ts';
import { keysOf, servedBy, usersByKey, type UsersByKey } from '../resource/uses.ts';

export interface Views {
  /** The part for one manifest; `ids` are objects that its journal or this run knows. */
  readonly viewOf: (manifest: Manifest, ids: Iterable<string>) => Snapshot;
  /** The stacks that hold a value which a manifest claims, with its own. */
  readonly holdersFor: (manifest: Manifest) => readonly string[];
}

type Objects = readonly LiveResource[];
type Index = ReadonlyMap<string, Objects>;

interface SnapshotIndex {
  readonly snapshot: Snapshot;
  readonly byId: ReadonlyMap<string, LiveResource>;
  readonly position: ReadonlyMap<LiveResource, number>;
  readonly byStack: Index;
  readonly byMarker: Index;
  /** Objects without a readable marker: any stack may own or adopt them. */
  readonly unmarked: Objects;
  readonly children: Index;
  /** Objects that use an id, or serve a value of another object. */
  readonly users: UsersByKey;
  /** Objects that hold a value which is unique in the whole service. */
  readonly holders: Index;
}

/**
 * Views of one live state: a stack's own objects and those that its manifest or journal names, with their parents, children,
 * users and what they refer to, holders of values that it claims, and everything without a readable marker. A live state with
 * a doubtful list is seen whole.
 */
export function viewsOf(snapshot: Snapshot): Views {
  const whole = wholeOf(snapshot);
  if (unlistedReferences(snapshot).length > 0) return { viewOf: () => ({ ...snapshot, whole }), holdersFor: () => [] };
  const index = indexOf(snapshot, whole);
  return {
    viewOf: (manifest, ids) => {
      const part = partFor(manifest, ids, index);
      const inPart = new Set(part);
      const holders = holdersOf(manifest, () => part, index).filter((live) => !inPart.has(live));
      return { ...snapshot, resources: holders.length === 0 ? part : inOrder([...part, ...holders], index), whole };
    },
    holdersFor: (manifest) =>
      holdersOf(manifest, () => partFor(manifest, [], index), index).flatMap(({ marker }) => marker?.stack ?? []),
  };
}

function wholeOf({ resources }: Snapshot): WholeSnapshot {
  return {
    byId: new Map(resources.map((live) => [live.id, live])),
    kinds: new Set(resources.map(kindOf)),
    byAddress: lazy(() => groupBy(resources, ({ marker }) => marker?.address)),
  };
}

function indexOf(snapshot: Snapshot, { byId }: WholeSnapshot): SnapshotIndex {
  const { resources } = snapshot;
  return {
    snapshot,
    byId,
    position: new Map(resources.map((live, at) => [live, at])),
    byStack: groupBy(resources, ({ marker }) => marker?.stack),
    byMarker: groupBy(resources, ({ marker }) => marker && markerKey(marker)),
    unmarked: resources.filter(({ marker }) => marker === undefined),
    children: groupBy(resources, ({ parentId }) => parentId),
    holders: groupEntries(resources.flatMap((live) => servedBy(live).map(({ key }) => [key, live] as const))),
    users: usersByKey(resources),
  };
}

/** Everything that matters to a manifest, but for holders of values that it claims. */
function partFor(manifest: Manifest, ids: Iterable<string>, index: SnapshotIndex): Objects {
  const own = around(ownIn(manifest, ids, index), index);
  return inOrder([...own, ...importedIn(manifest, index), ...index.unmarked], index);
}

/** Objects that hold a value which the manifest claims; `part` is what is known of its references. */
function holdersOf(manifest: Manifest, part: () => Objects, { snapshot, holders }: SnapshotIndex): Objects {
  const claimed = claimedBy(manifest, () => ({ ...snapshot, resources: part() }));
  return claimed.flatMap((key) => holders.get(key) ?? []);
}

function kindOf({ kind }: LiveResource): string {
  return kind;
}

/** Objects of the stack and of those that it takes objects from, and those that the manifest or `ids` name. */
function ownIn(manifest: Manifest, ids: Iterable<string>, { byStack, byId }: SnapshotIndex): Objects {
  const { stack, transfers, resources } = manifest;
  const pinned = resources.flatMap(({ lifecycle }) => lifecycle.pin?.id ?? []);
  const stacks = new Set([stack, ...transfers.map((one) => one.stack)]);
  const marked = [...stacks].flatMap((name) => byStack.get(name) ?? []);
  return [...marked, ...[...pinned, ...ids].flatMap((id) => byId.get(id) ?? [])];
}

/** Every object that an import may mean. */
function importedIn({ imports }: Manifest, { byId, byMarker }: SnapshotIndex): Objects {
  return imports.flatMap(({ from }) =>
    'id' in from ? (byId.get(from.id) ?? []) : (byMarker.get(markerKey(from)) ?? []),
  );
}

function markerKey({ stack, address }: { readonly stack: string; readonly address: string }): string {
  return `${stack} ${address}`;
}

/** The objects with their children, what these refer to, and what uses them. */
function around(own: Objects, { byId, children, users }: SnapshotIndex): Objects {
  const inside = [...own, ...own.flatMap(({ id }) => children.get(id) ?? [])];
  const referents = inside.flatMap(idsOf);
  const used = inside.flatMap((live) =>
    keysOf(live)
      .flatMap((key) => users.get(key) ?? [])
      .map(({ user }) => user),
  );
  return [...inside, ...referents.flatMap((id) => byId.get(id) ?? []), ...used];
}

/** Each once, with its parent, in the order of the whole. */
function inOrder(objects: Objects, { byId, position }: SnapshotIndex): Objects {
  const all = new Set(objects);
  for (const { parentId } of objects) {
    const parent = byId.get(parentId ?? '');
    if (parent !== undefined) all.add(parent);
  }
  return [...all].sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}

/** Keys of values that the manifest claims; those in references are looked up in the part seen so far. */
function claimedBy(manifest: Manifest, partSeen: () => Snapshot): string[] {
  const { resources } = manifest;
  const known = lazy(() => {
    const part = partSeen();
    return liveByAddress(part, match(manifest, resources, part));
  });
  return resources.flatMap(({ kind, spec }) =>
    servedBy({ kind, spec: isUnresolved(spec) ? resolveSpec(spec, known()) : spec }).map(({ key }) => key),
  );
}

const idsOf = perObject(({ kind, spec }: LiveResource) => idsIn(kindByName(kind).fields, spec));
