// Which live objects an export contains, and which it only mentions. An object of another stack cannot be adopted by its id
// (ADR-0003), so it is never written as a resource.

import { Failure } from '../core/failure.ts';
import { compareText } from '../core/json.ts';
import { plural } from '../core/text/text.ts';
import type { Ownership, OwnershipStatus } from '../resource/marker/ownership.ts';
import { scopeOfStack, ownershipIn, withoutMisplaced } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';

/** `stack`: what the stack owns; `unmanaged`: what no stack owns; `all`: both, and everything else is mentioned. */
export interface Scope {
  readonly of: 'stack' | 'unmanaged' | 'all';
  readonly stack: string;
  /** Id → name, for objects that have one elsewhere. */
  readonly names?: ReadonlyMap<string, string>;
  readonly only?: Restriction;
}

/** Of all that the scope selects, objects of these kinds, whose names are like one of these patterns; an empty list restricts nothing. */
export interface Restriction {
  readonly kinds: readonly string[];
  readonly names: readonly string[];
}

export interface LeftOut {
  readonly live: LiveResource;
  readonly why: string;
}

/**
 * Divides the objects of a snapshot into those to write and those to mention: parents before children, then by id. An object
 * with a marker belongs to the stack.
 */
export function select(snapshot: Snapshot, scope: Scope) {
  const sorted = [...snapshot.resources].sort(
    (a, b) => Number(a.parentId !== undefined) - Number(b.parentId !== undefined) || compareText(a.id, b.id),
  );
  const ownership = ownershipIn(scopeOfStack(scope.stack), snapshot.resources);
  const isWanted = wantedIn(scope, ownership);
  const parents = new Set(sorted.flatMap((live) => (isWanted(live) ? (live.parentId ?? []) : [])));
  const chosen = new Set<string>();
  const addresses = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  for (const live of sorted) {
    const why = reasonAgainst(live, { scope, ownership, parents, chosen, addresses });
    if (why === undefined) chosen.add(live.id);
    else if (why !== '') leftOut.push({ live, why });
  }
  const kept = sorted.filter((live) => chosen.has(live.id));
  return { chosen: kept.map((live) => withoutMisplaced(live, ownership)), leftOut };
}

function wantedIn({ of }: Scope, ownership: Ownership): (live: LiveResource) => boolean {
  return (live) => {
    const { is } = ownership.of(live);
    return is === 'ours' ? of !== 'unmanaged' : UNOWNED.includes(is) && of !== 'stack';
  };
}

const UNOWNED: readonly OwnershipStatus['is'][] = ['unowned', 'misplaced'];

/** True when a marker names the stack; an unreadable one may name any stack, so it does not count. */
function namesStack(status: OwnershipStatus, stack: string): boolean {
  return status.is === 'unclear' ? status.problem.stacks.includes(stack) : ['ours', 'misplaced'].includes(status.is);
}

/** Fails for a stack that owns nothing, because its name is probably a typo. Also reports broken markers. */
export function checkStack(stack: string, { resources }: Snapshot): void {
  const { of } = ownershipIn(scopeOfStack(stack), resources);
  const statuses = resources.map(of);
  if (statuses.some((status) => namesStack(status, stack))) return;
  const stacks = new Set(resources.flatMap(({ marker }) => (marker === undefined ? [] : [marker.stack])));
  const known = [...stacks].sort();
  const fix = known.length === 0 ? 'no object has an owner; use --unmanaged' : `choose another: ${known.join(', ')}`;
  const nothing = {
    code: 'nothing-to-export',
    severity: 'error',
    message: `stack ${stack} owns nothing`,
    fix,
  } as const;
  const broken = statuses.filter(({ is }) => is === 'unclear').length;
  const message = `${plural(broken, 'object')} may belong to any stack, because the marker cannot be read`;
  const doubt = { code: 'broken-marker', severity: 'warning', message, fix: 'see what `export --all` names' } as const;
  throw new Failure('invalid', broken === 0 ? [nothing] : [nothing, doubt]);
}

interface Progress {
  readonly scope: Scope;
  readonly ownership: Ownership;
  /** Ids of objects with children to export. */
  readonly parents: ReadonlySet<string>;
  readonly chosen: ReadonlySet<string>;
  /** Address → id of the first object with this address in its marker. */
  readonly addresses: Map<string, string>;
}

/** Why the object is not written; '' when that needs no mention. */
function reasonAgainst(live: LiveResource, progress: Progress): string | undefined {
  const { scope, ownership, parents, chosen, addresses } = progress;
  const { parentId } = live;
  const inside = parentId !== undefined && chosen.has(parentId);
  const status = ownership.of(live);
  if (!wantedIn(scope, ownership)(live)) {
    // A child cannot be written without its parent.
    const holdsWanted = UNOWNED.includes(status.is) && parents.has(live.id);
    return holdsWanted ? undefined : mention(status, inside || scope.of === 'all');
  }
  if (parentId !== undefined && !inside) return `its parent ${parentId} is not in this export`;
  if (status.is !== 'ours') return undefined;
  const { address } = status.marker;
  const key = `${live.kind} ${address}`;
  const first = addresses.get(key);
  addresses.set(key, first ?? live.id);
  return first === undefined ? undefined : `${first} carries the same address in its marker (${address})`;
}

/** Why an object is outside the scope; '' unless it could be missed. */
function mention(status: OwnershipStatus, isMissed: boolean): string {
  if (status.is === 'misplaced') return `its marker is that of ${status.marker.address}, but ${status.why}`;
  if (status.is === 'unclear') return `its ownership marker ${status.problem.what}`;
  if (!isMissed) return '';
  if (status.is !== 'foreign') return 'it has no marker';
  return `stack ${status.stack} owns it (${status.address ?? 'its marker cannot be read'})`;
}
