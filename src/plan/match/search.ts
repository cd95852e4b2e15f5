// What a match knows while it goes on, and the live objects that an address may mean.

import { groupBy } from '../../core/group.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { DesiredResource, Manifest } from '../../manifest/manifest.ts';
import { originsOf, type Origins } from '../../resource/marker/moves.ts';
import type { Ownership } from '../../resource/marker/ownership.ts';
import { replacedAmong } from '../../resource/marker/succession.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';

export interface MatchSearch {
  readonly ownership: Ownership;
  readonly byId: ReadonlyMap<string, LiveResource>;
  readonly byAddress: ReadonlyMap<string, readonly LiveResource[]>;
  /** Objects of other stacks by the address that `moved` brings them to. */
  readonly transferred: ReadonlyMap<string, readonly LiveResource[]>;
  readonly origins: Origins;
  /** Addresses in the manifest: none of them can be the old address of another. */
  readonly asked: ReadonlySet<string>;
  /** Ids that blocks name. */
  readonly named: ReadonlySet<string>;
  /** Address that took an object, by id. */
  readonly takenBy: Map<string, string>;
  readonly liveIdByAddress: Map<string, string>;
  readonly duplicates: Map<string, readonly LiveResource[]>;
  /** Addresses of which objects are redundant duplicates, by their ids; an address may be one that its object was moved from. */
  readonly redundant: Map<string, string>;
  readonly diagnostics: Diagnostic[];
}

export function searchIn(manifest: Manifest, snapshot: Snapshot, ownership: Ownership): MatchSearch {
  const byAddress = groupBy(snapshot.resources, (live) => {
    const status = ownership.of(live);
    // An object of another kind than its address is not ours.
    return status.is === 'ours' ? status.marker.address : undefined;
  });
  return {
    ownership,
    byId: new Map(snapshot.resources.map((live) => [live.id, live])),
    byAddress,
    transferred: groupBy(snapshot.resources, (live) => {
      const status = ownership.of(live);
      return status.is === 'transferred' ? status.to : undefined;
    }),
    origins: originsOf(manifest.moved),
    asked: new Set(manifest.resources.map((resource) => resource.address)),
    named: new Set(manifest.resources.flatMap(({ lifecycle }) => lifecycle.pin?.id ?? [])),
    takenBy: new Map(),
    liveIdByAddress: new Map(),
    duplicates: new Map(),
    redundant: new Map(),
    diagnostics: [],
  };
}

/** A child belongs to its parent's live object; one under another parent does not match. */
export function isInside(resource: DesiredResource, live: LiveResource, { liveIdByAddress }: MatchSearch): boolean {
  return resource.parent === undefined || liveIdByAddress.get(resource.parent) === live.parentId;
}

/**
 * The stack's own object that an adoption would push out of its address: an adopted object takes a free one. With `lifecycle.id`, a
 * person says which of several objects the block means.
 */
export function occupantFor(
  resource: DesiredResource,
  { id }: LiveResource,
  search: MatchSearch,
): LiveResource | undefined {
  if (resource.lifecycle.pin?.by === 'id') return undefined;
  const origins = search.origins(resource.address).filter((origin) => !search.asked.has(origin));
  const own = [resource.address, ...origins].flatMap((address) => candidates(resource, address, search));
  // An object that another block names goes there.
  return own.some((live) => live.id === id) ? undefined : own.find((live) => !search.named.has(live.id));
}

/** Objects of other stacks that `moved` brings to the address. */
export function transferredTo(resource: DesiredResource, search: MatchSearch): readonly LiveResource[] {
  const transferred = search.transferred.get(resource.address) ?? [];
  return transferred.filter((live) => !search.takenBy.has(live.id) && isInside(resource, live, search));
}

/** Objects with this marker that are not taken, without those that another object says it replaced (ADR-0008). */
export function candidates(resource: DesiredResource, address: string, search: MatchSearch): readonly LiveResource[] {
  const marked = search.byAddress.get(address) ?? [];
  const found = marked.filter((live) => !search.takenBy.has(live.id) && isInside(resource, live, search));
  return unreplaced(found, search);
}

export function unreplaced(found: readonly LiveResource[], { origins }: MatchSearch): readonly LiveResource[] {
  if (found.length < 2) return found;
  const replaced = replacedAmong(found, origins);
  return found.filter((live) => !replaced.has(live.id));
}
