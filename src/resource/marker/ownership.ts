// Whether a live object belongs to a stack. A marker counts only where it belongs: on an object of the kind that its
// address names, inside the object that its address says (ADR-0017). Whoever writes, deletes, counts or shows asks here.

import { parseAddress } from '../../catalog/address.ts';
import { perObject } from '../../core/lazy.ts';
import { withArticle } from '../../core/text/text.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Move } from './moves.ts';
import { originsOf } from './moves.ts';
import type { LiveResource, Marker, MarkerProblem, Snapshot } from '../snapshot.ts';

/** What a stack lays claim to; a manifest is one. */
export interface OwnershipScope {
  readonly stack: string;
  readonly moved: readonly Move[];
  /** Blocks that take an object by its id, whatever its marker says. */
  readonly resources: readonly {
    readonly address: string;
    readonly lifecycle: { readonly id: string | undefined; readonly adopt: string | undefined };
  }[];
}

/** What one object is to one stack. Only `ours` is ever written without a line of the manifest that names its id. */
export type OwnershipStatus =
  | { readonly is: 'ours'; readonly marker: Marker }
  /** Another stack's; `address` is undefined when its marker can be read no further. */
  | { readonly is: 'foreign'; readonly stack: string; readonly address: string | undefined }
  /** Our stack's name in a place where it does not belong: nobody's object. */
  | { readonly is: 'misplaced'; readonly marker: Marker; readonly why: string }
  /** Its marker, or that of the object it lies in, cannot be read and may be ours, and no block of ours names its id. */
  | { readonly is: 'unclear'; readonly problem: MarkerProblem }
  | { readonly is: 'unowned' };

export interface Ownership {
  readonly of: (live: LiveResource) => OwnershipStatus;
  readonly isOurs: (live: LiveResource) => boolean;
}

/** Claims of a stack of which only the name is known. */
export function scopeOfStack(stack: string): OwnershipScope {
  return { stack, moved: [], resources: [] };
}

/** Judges objects for one stack; `objects` must hold the objects that they lie in. Those that are judged need not be among them. */
export function ownershipIn(
  claims: OwnershipScope,
  objects: readonly LiveResource[] | ReadonlyMap<string, LiveResource>,
): Ownership {
  const world: OwnershipIndex = {
    scope: claims,
    byId: 'get' in objects ? objects : new Map(objects.map((live) => [live.id, live])),
    pinned: pinnedAddresses(claims),
    isRelated: relationOf(claims.moved),
  };
  const of = perObject((live: LiveResource) => statusOf(live, world));
  return { of, isOurs: (live) => of(live).is === 'ours' };
}

/** Objects that a journal knows (addresses by id) and whose metadata has no marker any more: somebody removed it, and it may be ours all the same. */
export function withRemovedMarkers(snapshot: Snapshot, known: ReadonlyMap<string, string> = new Map()): Snapshot {
  const resources = snapshot.resources.map((live) => {
    const knownAs = known.get(live.id);
    if (knownAs === undefined || live.marker !== undefined || live.markerProblem !== undefined) return live;
    return { ...live, marker: undefined, markerProblem: { what: 'was removed', stacks: [], named: [], knownAs } };
  });
  return { ...snapshot, resources };
}

/** The object as its stack may take it: a marker that does not belong to it says nothing of it. */
export function withoutMisplaced(live: LiveResource, { of }: Ownership): LiveResource {
  return of(live).is === 'misplaced' ? { ...live, marker: undefined } : live;
}

interface OwnershipIndex {
  readonly scope: OwnershipScope;
  readonly byId: ReadonlyMap<string, LiveResource>;
  /** Address by the id that a block names. */
  readonly pinned: ReadonlyMap<string, string>;
  /** True when two addresses are one, or a rename leads from one to the other. */
  readonly isRelated: (a: string, b: string) => boolean;
}

function pinnedAddresses({ resources }: OwnershipScope): Map<string, string> {
  return new Map(
    resources.flatMap(({ address, lifecycle }): [string, string][] => {
      const id = lifecycle.id ?? lifecycle.adopt;
      return id === undefined ? [] : [[id, address]];
    }),
  );
}

/** While a rename is under way, of a parent and what is inside it one may have its new address and the other not. */
function relationOf(moved: readonly Move[]): OwnershipIndex['isRelated'] {
  const origins = originsOf(moved);
  return (a, b) => a === b || origins(a).includes(b) || origins(b).includes(a);
}

function statusOf(live: LiveResource, world: OwnershipIndex): OwnershipStatus {
  const { marker, markerProblem: problem } = live;
  if (problem !== undefined) return statusOfProblem(live, problem, world);
  if (marker === undefined) return { is: 'unowned' };
  if (marker.stack !== world.scope.stack) return { is: 'foreign', stack: marker.stack, address: marker.address };
  const why = misfit(live, marker.address, world);
  if (why !== undefined) return { is: 'misplaced', marker, why };
  const above = parentStatus(live, world);
  return above?.is === 'unclear' ? above : { is: 'ours', marker };
}

function parentStatus({ parentId }: LiveResource, world: OwnershipIndex): OwnershipStatus | undefined {
  const parent = world.byId.get(parentId ?? '');
  return parent === undefined ? undefined : statusOf(parent, world);
}

/** What cannot be attributed may be ours, unless it lies in somebody else's object. */
function statusOfProblem(live: LiveResource, problem: MarkerProblem, world: OwnershipIndex): OwnershipStatus {
  const [first] = problem.stacks;
  if (first !== undefined && !problem.stacks.includes(world.scope.stack))
    return { is: 'foreign', stack: first, address: undefined };
  const above = parentStatus(live, world);
  if (above?.is === 'foreign') return { ...above, address: undefined };
  return isClaimed(live, world) && mayTakeOver(problem, world.scope) ? { is: 'unowned' } : { is: 'unclear', problem };
}

/** True when a block may take over what has such a marker: no part of it names another stack. */
function mayTakeOver({ named }: MarkerProblem, { stack }: Pick<OwnershipScope, 'stack'>): boolean {
  return named.every((name) => name === stack);
}

/** True when a block of the object's kind names its id: a person has said then whose it is. */
function isClaimed(live: LiveResource, { pinned }: OwnershipIndex): boolean {
  const address = pinned.get(live.id);
  return address !== undefined && parseAddress(address)?.kind.name === live.kind;
}

/** Why an object of our stack's marker cannot have the address in it; undefined when it can. */
function misfit(live: LiveResource, address: string, world: OwnershipIndex): string | undefined {
  const kind = kindByName(live.kind);
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'that is not the address of a resource';
  if (parsed.kind !== kind)
    return `that is the address of ${withArticle(parsed.kind.title)}, and this is ${withArticle(kind.title)}`;
  if (kind.parent === undefined || parsed.parent === undefined) return undefined;
  const parent = world.byId.get(live.parentId ?? '');
  if (parent === undefined) return `its parent is not ${parsed.parent}`;
  const above = parsed.parent;
  const status = statusOf(parent, world);
  const known = addressesOf(parent, status, world);
  if (status.is === 'unclear' || known.some((one) => world.isRelated(one, above))) return undefined;
  return `it is a child of ${parent.id}, which ${known[0] === undefined ? 'the stack does not own' : `is ${known[0]}`}`;
}

/** Addresses by which the stack knows the object: of the block that names its id, and of its marker. */
function addressesOf(live: LiveResource, status: OwnershipStatus, world: OwnershipIndex): string[] {
  if (status.is === 'foreign') return [];
  const own = status.is === 'ours' ? [status.marker.address] : [];
  return isClaimed(live, world) ? [world.pinned.get(live.id) ?? '', ...own] : own;
}
