// Which live objects an export holds, and which it only mentions. An object of another stack can never be adopted
// (ADR-0003), so it is never written as a resource.

import { compareText } from '../base/json.ts';
import type { LiveResource, Snapshot } from '../live/snapshot.ts';

/** `stack`: what the stack owns; `unmanaged`: what nobody owns; `all`: both, and a mention of everything else. */
export interface Scope {
  readonly of: 'stack' | 'unmanaged' | 'all';
  /** The stack of the exported manifest. */
  readonly stack: string;
}

export interface LeftOut {
  readonly live: LiveResource;
  readonly why: string;
}

export interface Selection {
  /** Parents before what is inside them, then by id. */
  readonly chosen: readonly LiveResource[];
  readonly leftOut: readonly LeftOut[];
}

/** Sorts the objects of a snapshot into those to write and those to mention. */
export function select(snapshot: Snapshot, scope: Scope): Selection {
  const sorted = [...snapshot.resources].sort(
    (a, b) => Number(a.parentId !== undefined) - Number(b.parentId !== undefined) || compareText(a.id, b.id),
  );
  const parents = new Set(sorted.flatMap((live) => (isWanted(live, scope) ? (live.parentId ?? []) : [])));
  const chosen = new Set<string>();
  const addresses = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  for (const live of sorted) {
    const why = reasonAgainst(live, { scope, parents, chosen, addresses });
    if (why === undefined) chosen.add(live.id);
    else if (why !== '') leftOut.push({ live, why });
  }
  return { chosen: sorted.filter((live) => chosen.has(live.id)), leftOut };
}

function isWanted({ marker }: LiveResource, { of, stack }: Scope): boolean {
  if (marker === undefined) return of !== 'stack';
  return of !== 'unmanaged' && marker.stack === stack;
}

interface Progress {
  readonly scope: Scope;
  /** Ids of objects that hold something wanted. */
  readonly parents: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  /** Address → id of the first object that carries it in its marker. */
  readonly addresses: Map<string, string>;
}

/** Why the object is not written; '' when that needs no mention. */
function reasonAgainst(live: LiveResource, { scope, parents, chosen, addresses }: Progress): string | undefined {
  const { marker, parentId } = live;
  const inside = parentId !== undefined && chosen.has(parentId);
  if (!isWanted(live, scope)) {
    // What is inside an object has no place in a manifest without it.
    if (marker === undefined && parents.has(live.id)) return undefined;
    if (marker !== undefined && marker.stack !== scope.stack && (scope.of === 'all' || inside))
      return `stack ${marker.stack} owns it (${marker.address})`;
    return inside ? 'it has no marker' : '';
  }
  if (parentId !== undefined && !inside) return `${parentId}, which holds it, is not in this export`;
  if (marker === undefined) return undefined;
  const key = `${live.kind} ${marker.address}`;
  const first = addresses.get(key);
  addresses.set(key, first ?? live.id);
  return first === undefined ? undefined : `${first} carries the same address in its marker (${marker.address})`;
}
