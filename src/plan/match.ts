// Pairs what the manifest asks for with what exists: by pinned id, then by marker (ADR-0003). Never guesses.

import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource, Snapshot } from '../live/snapshot.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { PlanDiagnostic } from './plan.ts';

export interface Pair {
  readonly kind: Kind;
  readonly desired: DesiredResource;
  readonly live: LiveResource | undefined;
}

export interface Match {
  readonly pairs: readonly Pair[];
  /** Objects of this stack that the manifest does not ask for. */
  readonly orphans: readonly LiveResource[];
  /** Owned objects the manifest releases without deleting. */
  readonly released: readonly LiveResource[];
  readonly unmanaged: readonly LiveResource[];
  readonly diagnostics: readonly PlanDiagnostic[];
}

interface Index {
  readonly byId: ReadonlyMap<string, LiveResource>;
  readonly byAddress: ReadonlyMap<string, readonly LiveResource[]>;
}

/** Matches all of the manifest against all of the snapshot, or only what `wanted` keeps. */
export function match(manifest: Manifest, desired: readonly DesiredResource[], snapshot: Snapshot): Match {
  const index = indexLive(manifest.stack, snapshot);
  const diagnostics: PlanDiagnostic[] = [];
  const taken = new Set<string>();
  const movedFrom = new Map(manifest.moved.map((move) => [move.to, move.from]));
  const liveIdByAddress = new Map<string, string>();
  const pairs: Pair[] = [];
  for (const resource of desired) {
    const found = findLive(resource, index, movedFrom, diagnostics);
    for (const live of found) taken.add(live.id);
    const [live] = found;
    if (found.length > 1) {
      diagnostics.push(duplicate(resource.address, found));
      continue;
    }
    const fits = live !== undefined && sameParent(resource, live, liveIdByAddress);
    if (live !== undefined && !fits) taken.delete(live.id);
    if (live !== undefined && fits) liveIdByAddress.set(resource.address, live.id);
    pairs.push({ kind: kindByName(resource.kind), desired: resource, live: fits ? live : undefined });
  }
  const owned = snapshot.resources.filter((live) => live.marker?.stack === manifest.stack && !taken.has(live.id));
  const keep = new Set(manifest.removed.filter((entry) => !entry.destroy).map((entry) => entry.from));
  return {
    pairs,
    orphans: owned.filter((live) => !keep.has(live.marker?.address ?? '')),
    released: owned.filter((live) => keep.has(live.marker?.address ?? '')),
    unmanaged: snapshot.resources.filter((live) => live.marker?.stack !== manifest.stack && !taken.has(live.id)),
    diagnostics,
  };
}

function indexLive(stack: string, snapshot: Snapshot): Index {
  const byAddress = new Map<string, LiveResource[]>();
  for (const live of snapshot.resources) {
    if (live.marker?.stack !== stack) continue;
    const key = `${live.kind} ${live.marker.address}`;
    byAddress.set(key, [...(byAddress.get(key) ?? []), live]);
  }
  return { byId: new Map(snapshot.resources.map((live) => [live.id, live])), byAddress };
}

function findLive(
  resource: DesiredResource,
  index: Index,
  movedFrom: ReadonlyMap<string, string>,
  diagnostics: PlanDiagnostic[],
): readonly LiveResource[] {
  const pinned = resource.lifecycle.id ?? resource.lifecycle.adopt;
  if (pinned !== undefined) {
    const live = index.byId.get(pinned);
    if (live?.kind === resource.kind) return [live];
    diagnostics.push({
      code: 'pinned-not-found',
      severity: 'error',
      address: resource.address,
      message: `${resource.address} is pinned to ${pinned}, but the service has no such ${kindByName(resource.kind).title}`,
    });
    return [];
  }
  const own = index.byAddress.get(`${resource.kind} ${resource.address}`) ?? [];
  const from = movedFrom.get(resource.address);
  if (own.length > 0 || from === undefined) return own;
  return index.byAddress.get(`${resource.kind} ${from}`) ?? [];
}

/** A child belongs to its parent's live object; one left under another object is not this one. */
function sameParent(resource: DesiredResource, live: LiveResource, idByAddress: ReadonlyMap<string, string>): boolean {
  return resource.parent === undefined || idByAddress.get(resource.parent) === live.parentId;
}

function duplicate(address: string, found: readonly LiveResource[]): PlanDiagnostic {
  const ids = found.map((live) => live.id).join(', ');
  return {
    code: 'duplicate-marker',
    severity: 'error',
    address,
    message: `${address} exists ${found.length} times (${ids}); nothing is guessed: pin the right one with \`lifecycle: { id: … }\` and delete the others, or remove their markers`,
  };
}
