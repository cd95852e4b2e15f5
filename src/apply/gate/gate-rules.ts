// The rules of the write gate, one per entry: when a write must not be sent. Pure; the rules are independent of each other, so
// that a bug elsewhere is stopped here.

import type { ApiWrite } from '../../service/transport.ts';
import { parseAddress } from '../../catalog/address.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Code } from '../../core/codes.ts';
import { sameJson } from '../../core/equal.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { readMarker } from '../../resource/marker/marker-codec.ts';
import { destinationsOf } from '../../resource/marker/moves.ts';
import { ownershipIn, type OwnershipScope, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { UseBy } from '../../resource/uses.ts';
import type { Step } from '../../plan/plan.ts';
import { isRemoval, changedFields, childFieldPrefix, fingerprintFields } from '../../plan/fingerprint.ts';
import { createPath, objectPath } from '../../catalog/path.ts';
import { inUse, outdatedImport, type ImportSeen } from './asked-again.ts';
import type { RunHistory } from './run-history.ts';
import type { ObservedObject } from '../refresh-object.ts';

/** One write, with everything known about its object. */
export interface GatedWrite {
  readonly request: ApiWrite;
  readonly kind: Kind;
  readonly address: string;
  /** The object written to; null for a creation. */
  readonly id: string | null;
  readonly parentId: string | undefined;
  /** The planned step: every write is in a plan. */
  readonly step: Step;
  /** The object as this run last read it. */
  readonly observed?: ObservedObject | undefined;
  /** Its parent as this run last read it; not needed if this run created the parent. */
  readonly parent?: ObservedObject | undefined;
  /** For a deletion: what uses the object, or what is deleted with it. */
  readonly users?: readonly UseBy[] | undefined;
  /** The imported objects whose values the write carries. */
  readonly imports?: readonly ImportSeen[] | undefined;
}

/** What the rules know about the run. */
export interface GateScope {
  /** Ids of objects that the run did not create: those that existed before, and those in the plan. */
  readonly known: Pick<ReadonlySet<string>, 'has'>;
  /** What the stack lays claim to, and the live state that the plan was made from, by id. */
  readonly ownershipScope: OwnershipScope;
  readonly live: ReadonlyMap<string, LiveResource>;
  readonly history: RunHistory;
}

interface WriteRule {
  readonly name: string;
  /** Why the write must not be sent, as a sentence without its end; undefined when it may. */
  readonly check: (write: GatedWrite, scope: GateScope) => string | undefined;
  /** The code of a rule of the plan that is asked again here. */
  readonly code?: Code;
}

/** True when the write deletes the whole object, not a part of it. */
function removesObject({ request, kind, id, parentId }: GatedWrite): boolean {
  return id !== null && request.method === 'DELETE' && request.path === objectPath(kind, id, parentId);
}

function nameOf({ address, id }: GatedWrite): string {
  return id === null ? address : `${address} (${id})`;
}

export const WRITE_RULES: readonly WriteRule[] = [
  { name: 'path-of-object', check: pathOfAnother },
  { name: 'read-first', check: notRefreshed },
  { name: 'in-its-place', check: elsewhere },
  { name: 'inside-ours', check: insideAnothers },
  { name: 'ours', check: notOurs },
  { name: 'as-planned', check: notPlanned },
  { name: 'not-moved', check: moved },
  { name: 'not-protected', check: protectedObject },
  { name: 'nothing-foreign-inside', check: foreignChildren },
  { name: 'not-in-use', check: usedByOthers, code: 'still-referenced' },
  { name: 'imports-as-planned', check: changedImport, code: 'import-changed' },
  { name: 'readable-marker', check: unreadableMarker },
];

/** A write only goes to its own object, or to a part of it. */
function pathOfAnother({ request, kind, id, parentId }: GatedWrite): string | undefined {
  const own = id === null ? createPath(kind, parentId) : objectPath(kind, id, parentId);
  const isOwn = request.path === own || (request.method === 'DELETE' && request.path.startsWith(`${own}/`));
  const isAbout = isOwn && (request.method === 'POST') === (id === null);
  return isAbout ? undefined : `${request.method} ${request.path} is not about ${own}`;
}

/** A changed object was read before, by this run, for this step. */
function notRefreshed(write: GatedWrite): string | undefined {
  const { id, observed, kind } = write;
  if (id === null) return undefined;
  if (observed === undefined) return `${nameOf(write)} was not read before the change`;
  return observed.live.id === id && observed.live.kind === kind.name
    ? undefined
    : `what was read is ${observed.live.kind} ${observed.live.id}, and not ${nameOf(write)}`;
}

/** A child is still where the plan found it. */
function elsewhere(write: GatedWrite): string | undefined {
  const { observed, parentId } = write;
  const said = observed?.reportedParentId ?? parentId;
  return said === parentId ? undefined : `${nameOf(write)} is now a child of ${said ?? ''}, not of ${parentId ?? ''}`;
}

/**
 * Ours are objects that this run created, and those with our marker and an address that fits their kind and place. Adoption,
 * which the plan requests by id, takes unowned objects, and those that a `moved` entry takes from the stack that it names.
 */
function notOurs(write: GatedWrite, scope: GateScope): string | undefined {
  const { id, observed, kind } = write;
  if (id === null || kind.unmanaged === true || scope.history.created.has(id) || observed === undefined)
    return undefined;
  const why = notOwnedBy(observed.live, scope);
  if (why === undefined || isAdoption(write, scope) || isExpulsion(write, scope)) return undefined;
  return `${nameOf(write)} ${why}`;
}

/**
 * The plan deletes a child that nobody owns, whose parent is the stack's by now, and exclusive. No other object without a marker is
 * ever deleted (ADR-0050).
 */
function isExpulsion(write: GatedWrite, { ownershipScope, live: known }: GateScope): boolean {
  const { step, observed, parent } = write;
  if (step.foreign_child !== true || step.action !== 'delete' || !removesObject(write)) return false;
  if (observed === undefined || parent === undefined || parent.live.id !== observed.live.parentId) return false;
  const { of } = ownershipIn(ownershipScope, known);
  const isParentOurs = of(parent.live).is === 'ours';
  return isParentOurs && of(observed.live).is === 'unowned' && isExclusive(parent.live, ownershipScope);
}

/** True when the block of the object says that it is exclusive: the one that names its id, else the one of its marker. */
function isExclusive({ id, marker }: LiveResource, { stack, moved, resources }: OwnershipScope): boolean {
  const pinned = resources.find(({ lifecycle }) => lifecycle.pin?.id === id);
  if (pinned !== undefined) return pinned.lifecycle.exclusive === true;
  if (marker?.stack !== stack) return false;
  const addresses = [marker.address, ...destinationsOf(moved)(marker.address)];
  return resources.some(({ address, lifecycle }) => lifecycle.exclusive === true && addresses.includes(address));
}

/**
 * A child is written only while its parent is ours, too, or as unowned as when the plan was made: its adoption comes first, and a
 * read may be older. Objects that this run created or released were ours.
 */
function insideAnothers(write: GatedWrite, scope: GateScope): string | undefined {
  const { parentId = '', parent } = write;
  const { created, released } = scope.history;
  if (parentId === '' || created.has(parentId) || released.has(parentId)) return undefined;
  if (parent?.live.id !== parentId)
    return `${parentId}, the parent of ${nameOf(write)}, was not read before the change`;
  const why = notOwnedBy(parent.live, scope);
  const before = scope.live.get(parentId);
  const statusOf = ownershipIn(scope.ownershipScope, scope.live).of;
  const isForeign = before?.marker !== undefined && before.marker.stack !== scope.ownershipScope.stack;
  const wasUnowned = before !== undefined && !isForeign && isSameStatus(statusOf(parent.live), statusOf(before));
  return why === undefined || wasUnowned ? undefined : `${nameOf(write)} is a child of ${parentId}, which ${why}`;
}

/** Whether an object has the same status as before: no marker, or one that is misplaced or unreadable in the same way. */
function isSameStatus(now: OwnershipStatus, before: OwnershipStatus): boolean {
  if (now.is === 'misplaced' && before.is === 'misplaced') return now.marker.address === before.marker.address;
  if (now.is === 'unclear' && before.is === 'unclear') return sameJson(now.problem.stacks, before.problem.stacks);
  return now.is === before.is;
}

/** Why an object is not the stack's, by its marker and its place. */
function notOwnedBy(live: LiveResource, { ownershipScope, live: known, history }: GateScope): string | undefined {
  const status = ownershipIn(ownershipScope, known).of(live);
  switch (status.is) {
    case 'ours':
      return undefined;
    case 'unowned':
      return 'has no ownership marker';
    case 'foreign':
      return `belongs to stack ${status.stack}`;
    case 'transferred':
      return `belongs to stack ${status.marker.stack}`;
    case 'unclear':
      return `has an ownership marker that ${status.problem.what}`;
    case 'misplaced': {
      // An object that this run created is not in any earlier state.
      const isOfKind = parseAddress(status.marker.address)?.kind.name === live.kind;
      const isInside = history.created.has(live.parentId ?? '') && isOfKind;
      return isInside ? undefined : `has the marker of ${status.marker.address}, but ${status.why}`;
    }
    default:
      return status satisfies never;
  }
}

const ADOPTING: readonly string[] = ['adopt', 'replace', 'update'];

/**
 * The plan adopts the object by id because no stack owned it, and still none does; or because a `moved` entry brings it to the
 * step's address from the stack that still owns it.
 */
function isAdoption(write: GatedWrite, { ownershipScope, live: known, history }: GateScope): boolean {
  const { step, id, observed } = write;
  if (id === null || step.live_id !== id || observed === undefined) return false;
  const { marker } = observed.live;
  const status = ownershipIn(ownershipScope, known).of(observed.live);
  const isUnowned = status.is === 'unowned';
  if (marker === undefined) return isUnowned && ADOPTING.includes(step.action);
  if (status.is === 'transferred') {
    // What this run has taken over may be read as it was before.
    const isTaken = history.written.get(id)?.fields.has(METADATA) === true;
    return status.to === step.address && (step.action === 'adopt' || isTaken);
  }
  // An object with a misplaced marker of ours has no owner (ADR-0017).
  return (
    marker.stack === ownershipScope.stack &&
    (step.action === 'adopt' || step.phase === 'delete' || step.phase === 'detach')
  );
}

/** A step writes to the object in the plan, or to the one that it created itself. */
function notPlanned(write: GatedWrite, { history }: GateScope): string | undefined {
  const { step, id } = write;
  if (id === step.live_id || history.created.get(id ?? '')?.address === step.address) return undefined;
  return `step ${step.id} is about ${step.live_id ?? 'a new object'}, and not about ${nameOf(write)}`;
}

/**
 * The object is unchanged since the plan was made, and so is everything that a deletion takes with it, or this run created it;
 * there are no conditional requests. A field that this run wrote may have its old value or that of any of the writes, because a
 * read may lag behind; if an answer did not show it, it may have any value.
 */
function moved({ step, observed, id, kind, address }: GatedWrite, { history }: GateScope): string | undefined {
  if (observed === undefined) return undefined;
  const { seen } = step;
  const children = isRemoval(step) ? observed.children.map(({ live }) => live) : [];
  const digests = (live: LiveResource) => fingerprintFields(kind, live, { children, before: seen });
  const { fields, left = [] } = history.written.get(id ?? '') ?? {};
  const [now, ours] = [digests(observed.live), left.map((live) => live && digests(live))];
  const isOurs = (name: string) =>
    (seen === undefined || fields?.has(name) === true) &&
    (ours.length === 0 || ours.some((then) => then?.[name] === undefined || then[name] === now[name]));
  const ownInside = new Set(children.flatMap((child) => writtenInside(child, history)));
  const changed = changedFields(seen ?? ours[0] ?? now, now).filter((name) => !isOurs(name) && !ownInside.has(name));
  return changed.length === 0
    ? undefined
    : `${address} (${id ?? ''}) was changed since the plan was made: ${changed.join(', ')}`;
}

/** The fields of a child that this run wrote, by their names among the digests of its parent. */
function writtenInside({ kind, id }: LiveResource, { written }: RunHistory): string[] {
  const prefix = childFieldPrefix(kindByName(kind), id);
  return [...(written.get(id)?.fields ?? [])].map((field) => `${prefix}${field}`);
}

/** The marker's protection applies to objects that no manifest mentions, and to the children of a deleted object. */
function protectedObject(write: GatedWrite): string | undefined {
  if (!removesObject(write) || write.observed === undefined) return undefined;
  const kept = [write.observed, ...write.observed.children].find(({ live }) => live.marker?.protect === true)?.live;
  return kept === undefined ? undefined : `${kept.marker?.address ?? ''} (${kept.id}) is protected by its marker`;
}

/** Children are deleted with their parent. */
function foreignChildren(write: GatedWrite, { ownershipScope, history }: GateScope): string | undefined {
  if (!removesObject(write) || write.observed === undefined) return undefined;
  const children = write.observed.children.map(({ live }) => live);
  const { isOurs } = ownershipIn(ownershipScope, [write.observed.live, ...children]);
  const other = children.find((live) => !isOurs(live) && !history.created.has(live.id));
  return other === undefined
    ? undefined
    : `${other.id} inside ${nameOf(write)} is not owned by stack ${ownershipScope.stack}`;
}

/** What somebody took into use after the plan was made stays: the plan's own rule, asked again. */
function usedByOthers(write: GatedWrite): string | undefined {
  return removesObject(write) ? inUse(write.kind, nameOf(write), write.users) : undefined;
}

/** What a write carries of imported objects is what they have now. */
function changedImport({ request, step, imports }: GatedWrite): string | undefined {
  return request.body === undefined ? undefined : outdatedImport(step, imports);
}

/** A written marker must be readable: a value from a reference may have broken the text. */
function unreadableMarker({ request, step, address }: GatedWrite, { ownershipScope }: GateScope): string | undefined {
  const text = request.body?.[METADATA];
  if (typeof text !== 'string' || step.action === 'release') return undefined;
  const { stack, address: own } = readMarker(text).marker ?? {};
  return stack === ownershipScope.stack && own === address
    ? undefined
    : `the marker for ${address} could not be read again`;
}
