// Whether a live object belongs to a stack. A marker counts only in its own place: on the kind and in the parent that its
// address names (ADR-0017). Everything that writes, deletes, counts or shows objects asks here.

import { parseAddress } from '../../catalog/address.ts';
import { groupBy } from '../../core/group.ts';
import { lazy, perObject } from '../../core/lazy.ts';
import { withArticle } from '../../core/text/text.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { destinationsOf, originsOf, type Move } from './moves.ts';
import { transferDestination, type Destination, type Transfer } from './transfers.ts';
import type { LiveResource, Marker } from '../snapshot.ts';

type MarkerProblem = NonNullable<LiveResource['markerProblem']>;

/** What a stack claims; a manifest is one. */
export interface OwnershipScope {
  readonly stack: string;
  readonly moved: readonly Move[];
  readonly transfers: readonly Transfer[];
  /** Blocks that claim an object by its id, whatever its marker says. */
  readonly resources: readonly {
    readonly address: string;
    readonly lifecycle: {
      readonly pin: { readonly id: string } | undefined;
      /** Absent where it does not matter. */
      readonly exclusive?: boolean;
    };
  }[];
}

/** The ownership status of an object for one stack. Without a manifest block that names its id, only `ours` is ever written. */
export type OwnershipStatus =
  /** Its marker is that of our stack, in its place. */
  | { readonly is: 'ours'; readonly marker: Marker }
  /** Owned by another stack; `address` is undefined when its marker cannot be read further. */
  | { readonly is: 'foreign'; readonly stack: string; readonly address: string | undefined }
  /** Owned by another stack until a `moved` entry brings it to the address `to`; nothing but that is ever done to it. */
  | { readonly is: 'transferred'; readonly marker: Marker; readonly to: string }
  /** A marker of our stack in the wrong place: the object is unowned. */
  | { readonly is: 'misplaced'; readonly marker: Marker; readonly why: string }
  /** Its marker, or its parent's, is unreadable and may be ours, and no block of ours names its id. */
  | { readonly is: 'unclear'; readonly problem: MarkerProblem }
  /** It has no marker, and no block of ours names its id. */
  | { readonly is: 'unowned' };

export interface Ownership {
  readonly of: (live: LiveResource) => OwnershipStatus;
  readonly isOurs: (live: LiveResource) => boolean;
}

/** The scope of a stack of which only the name is known. */
export function scopeOfStack(stack: string): OwnershipScope {
  return { stack, moved: [], transfers: [], resources: [] };
}

/** Determines the ownership of objects for one stack; `objects` must contain their parents, but not the objects themselves. */
export function ownershipIn(claims: OwnershipScope, objects: Objects): Ownership {
  return ownershipOf(indexOf(claims, objects));
}

/**
 * The same, as if the stack had nothing yet at the addresses that `moved` brings objects to: what the entries name, whether they are
 * done or not.
 */
export function claimsIn(claims: OwnershipScope, objects: Objects): Ownership {
  return ownershipOf({ ...indexOf(claims, objects), isFilled: () => false });
}

type Objects = readonly LiveResource[] | ReadonlyMap<string, LiveResource>;

function indexOf(claims: OwnershipScope, objects: Objects): OwnershipIndex {
  const byId = 'get' in objects ? objects : new Map(objects.map((live) => [live.id, live]));
  const filled = lazy(() => filledAddresses(claims, byId));
  return {
    scope: claims,
    byId,
    isFilled: (address) => filled().has(address),
    pinned: pinnedAddresses(claims),
    isRelated: relationOf(claims.moved),
    destination: transferDestination(claims),
  };
}

function ownershipOf(index: OwnershipIndex): Ownership {
  const of = perObject((live: LiveResource) => statusOf(live, index));
  return { of, isOurs: (live) => of(live).is === 'ours' };
}

/** The object as its stack may take it over: without a misplaced marker. */
export function withoutMisplaced(live: LiveResource, { of }: Ownership): LiveResource {
  return of(live).is === 'misplaced' ? { ...live, marker: undefined } : live;
}

interface OwnershipIndex {
  readonly scope: OwnershipScope;
  readonly byId: ReadonlyMap<string, LiveResource>;
  /** Addresses by the ids that blocks name. */
  readonly pinned: ReadonlyMap<string, string>;
  /** True when two addresses are the same, or a rename leads from one to the other. */
  readonly isRelated: (a: string, b: string) => boolean;
  readonly destination: Destination;
  /** True for an address at which the stack has an object already: what was to move there has moved, or never will. */
  readonly isFilled: (address: string) => boolean;
}

/** The addresses that the stack's own objects have, or come to by a rename. A marker in a wrong place fills none. */
function filledAddresses({ stack, moved }: OwnershipScope, byId: OwnershipIndex['byId']): ReadonlySet<string> {
  const ahead = destinationsOf(moved);
  const filled = new Set<string>();
  for (const { kind, marker, parentId } of byId.values()) {
    if (marker?.stack !== stack || parseAddress(marker.address)?.kind.name !== kind) continue;
    if (parentId !== undefined && byId.get(parentId)?.marker?.stack !== stack) continue;
    for (const address of [marker.address, ...ahead(marker.address)]) filled.add(address);
  }
  return filled;
}

function pinnedAddresses({ resources }: OwnershipScope): Map<string, string> {
  return new Map(
    resources.flatMap(({ address, lifecycle: { pin } }): [string, string][] =>
      pin === undefined ? [] : [[pin.id, address]],
    ),
  );
}

/** During a rename, a parent may have its new address while its child still has the old one, or the other way round. */
function relationOf(moved: readonly Move[]): OwnershipIndex['isRelated'] {
  const origins = originsOf(moved);
  return (a, b) => a === b || origins(a).includes(b) || origins(b).includes(a);
}

function statusOf(live: LiveResource, world: OwnershipIndex): OwnershipStatus {
  const { marker, markerProblem: problem } = live;
  if (problem !== undefined) return statusOfProblem(live, problem, world);
  if (marker === undefined) return { is: 'unowned' };
  if (marker.stack !== world.scope.stack) return statusOfOthers(live, marker, world);
  const why = misfit(live, marker.address, world);
  if (why !== undefined) return { is: 'misplaced', marker, why };
  const above = parentStatus(live, world);
  return above?.is === 'unclear' ? above : { is: 'ours', marker };
}

/**
 * An object of another stack; a move brings it here only while the stack has no object at its new address, and if it fits there,
 * as an object of ours has to.
 */
function statusOfOthers(live: LiveResource, marker: Marker, world: OwnershipIndex): OwnershipStatus {
  const to = world.destination(marker);
  const mayMove =
    to !== undefined &&
    !world.isFilled(to) &&
    parentStatus(live, world)?.is !== 'unclear' &&
    fits(live, marker, to, world);
  return mayMove ? { is: 'transferred', marker, to } : { is: 'foreign', stack: marker.stack, address: marker.address };
}

/** True when neither the object's old address nor its new one contradicts its kind, and its parent is ours or comes along. */
function fits(live: LiveResource, { address }: Marker, to: string, world: OwnershipIndex): boolean {
  return parseAddress(address)?.kind.name === live.kind && misfit(live, to, world) === undefined;
}

function parentStatus({ parentId }: LiveResource, world: OwnershipIndex): OwnershipStatus | undefined {
  const parent = world.byId.get(parentId ?? '');
  return parent === undefined ? undefined : statusOf(parent, world);
}

/** An object with an unreadable marker may be ours, unless its parent is of another stack. */
function statusOfProblem(live: LiveResource, problem: MarkerProblem, world: OwnershipIndex): OwnershipStatus {
  const [first] = problem.stacks;
  if (first !== undefined && !problem.stacks.includes(world.scope.stack))
    return { is: 'foreign', stack: first, address: undefined };
  const above = parentStatus(live, world);
  if (above?.is === 'foreign') return { ...above, address: undefined };
  return isClaimed(live, world) && mayTakeOver(problem, world.scope) ? { is: 'unowned' } : { is: 'unclear', problem };
}

/** True when a block may take over an object with such a marker: no part of it names another stack. */
function mayTakeOver({ stacks }: MarkerProblem, { stack }: Pick<OwnershipScope, 'stack'>): boolean {
  return stacks.every((name) => name === stack);
}

/** True when a block of the object's kind names its id: a person has decided whose it is. */
function isClaimed(live: LiveResource, { pinned }: OwnershipIndex): boolean {
  const address = pinned.get(live.id);
  return address !== undefined && parseAddress(address)?.kind.name === live.kind;
}

/** Why an object with our stack's marker cannot have the marker's address; undefined when it can. */
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

/** The addresses by which the stack knows the object: that of the block which names its id, and that of its marker. */
function addressesOf(live: LiveResource, status: OwnershipStatus, world: OwnershipIndex): string[] {
  if (status.is === 'foreign') return [];
  const own = status.is === 'ours' ? [status.marker.address] : status.is === 'transferred' ? [status.to] : [];
  return isClaimed(live, world) ? [world.pinned.get(live.id) ?? '', ...own] : own;
}

/** The objects that carry a readable marker, by the stack that it names, wherever they stand: for lists of stacks, never to write. */
export function objectsByStack(objects: readonly LiveResource[]): ReadonlyMap<string, readonly LiveResource[]> {
  return groupBy(objects, ({ marker }) => marker?.stack);
}

/** The stack that an object's readable marker names, wherever it stands: to know what was given away, never to write. */
export function stackNamed(live: LiveResource | undefined): string | undefined {
  return live?.marker?.stack;
}

/** The same; a marker that cannot be read may still name a stack. */
export function ownerNamed(live: LiveResource): string | undefined {
  return stackNamed(live) ?? live.markerProblem?.stacks[0];
}

/** Another stack, and the address that the object has there, if its marker can be read. */
interface OtherOwner {
  readonly stack: string;
  readonly address: string | undefined;
}

/** The other stack that an object belongs to now; undefined when it is ours or nobody's. */
export function otherOwner(status: OwnershipStatus): OtherOwner | undefined {
  if (status.is === 'transferred') return status.marker;
  return status.is === 'foreign' ? status : undefined;
}

/** A stack, and the address that the object has in it, if known. */
export function describeOwner({ stack, address }: OtherOwner): string {
  return address === undefined ? `of stack ${stack}` : `${address} of stack ${stack}`;
}
