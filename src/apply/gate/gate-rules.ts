// The rules of the write gate, one entry each: when a write must not be sent. Pure; each rule is independent of the others,
// so that a mistake elsewhere is stopped here.

import type { ApiWrite } from '../../service/transport.ts';
import { withArticle } from '../../core/text/text.ts';
import { parseAddress } from '../../catalog/address.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import { readMarker } from '../../resource/marker/marker-codec.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Step } from '../../plan/plan.ts';
import { isRemoval, changedFields, fingerprintFields } from '../../plan/fingerprint.ts';
import { createPath, objectPath } from '../../catalog/path.ts';
import { whyCopied, type RunHistory } from './run-history.ts';
import type { ObservedObject } from '../refresh-object.ts';

/** Why a write is sent: a step of the plan, the end of an object that this run created twice over, or of a session. */
type Purpose = 'step' | 'roll-back' | 'session';

/** One write, with all that is known about its object. */
export interface GatedWrite {
  readonly purpose: Purpose;
  readonly request: ApiWrite;
  readonly kind: Kind;
  readonly address: string;
  /** The object that is written; null for a creation. */
  readonly id: string | null;
  readonly parentId: string | undefined;
  /** The planned step; undefined for what no plan names. */
  readonly step?: Step | undefined;
  /** The object as this run last read it. */
  readonly observed?: ObservedObject | undefined;
  /** The object that it lies in as this run last read it; none is needed where this run created it. */
  readonly parent?: ObservedObject | undefined;
  /** Another object of the same address, read just now; only for a roll-back. */
  readonly survivor?: ObservedObject | undefined;
  /** Addresses or ids of what still refers to the object; only for a roll-back. */
  readonly referrers?: readonly string[];
}

/** What the rules know of the run. */
export interface GateScope {
  /** Ids of objects that the run did not create: those that were there before it, and those that the plan names. */
  readonly known: ReadonlySet<string>;
  /** What the stack lays claim to, and the live state that the plan was made from, by id. */
  readonly ownershipScope: OwnershipScope;
  readonly live: ReadonlyMap<string, LiveResource>;
  /** Ids that the manifest writes down. */
  readonly pinned: ReadonlySet<string>;
  readonly history: RunHistory;
}

interface WriteRule {
  readonly name: string;
  /** Why the write must not be sent, as a sentence without its end; undefined when it may. */
  readonly check: (write: GatedWrite, scope: GateScope) => string | undefined;
}

/** True when the write takes the whole object away, not a part of it. */
function removesObject({ request, kind, id, parentId }: GatedWrite): boolean {
  return id !== null && request.method === 'DELETE' && request.path === objectPath(kind, id, parentId);
}

function nameOf({ address, id }: GatedWrite): string {
  return id === null ? address : `${address} (${id})`;
}

/** Every object that a write touches has these rules in front of it, in this order. */
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
  { name: 'own-creation', check: notCreatedHere },
  { name: 'another-survives', check: noSurvivor },
  { name: 'not-pinned', check: pinnedObject },
  { name: 'not-referenced', check: stillReferenced },
  { name: 'sessions-only', check: noSession },
  { name: 'readable-marker', check: unreadableMarker },
];

/** A write goes to the object it is about, or to what belongs to it, and to nothing else. */
function pathOfAnother({ request, kind, id, parentId }: GatedWrite): string | undefined {
  const own = id === null ? createPath(kind, parentId) : objectPath(kind, id, parentId);
  const isOwn = request.path === own || (request.method === 'DELETE' && request.path.startsWith(`${own}/`));
  const isAbout = isOwn && (request.method === 'POST') === (id === null);
  return isAbout ? undefined : `${request.method} ${request.path} is not about ${own}`;
}

/** What is changed was read before, by this run, for this step. */
function notRefreshed(write: GatedWrite): string | undefined {
  const { id, observed, kind, purpose } = write;
  if (id === null || purpose === 'session') return undefined;
  if (observed === undefined) return `${nameOf(write)} was not read before the change`;
  return observed.live.id === id && observed.live.kind === kind.name
    ? undefined
    : `what was read is ${observed.live.kind} ${observed.live.id}, and not ${nameOf(write)}`;
}

/** An object inside another is where the plan saw it. */
function elsewhere(write: GatedWrite): string | undefined {
  const { observed, parentId } = write;
  const said = observed?.reportedParentId ?? parentId;
  return said === parentId ? undefined : `${nameOf(write)} is now a child of ${said ?? ''}, not of ${parentId ?? ''}`;
}

/**
 * Ours is what this run created, and what carries our marker with an address that fits its kind and place. Adoption, which
 * the plan names by id, takes what nobody owns.
 */
function notOurs(write: GatedWrite, scope: GateScope): string | undefined {
  const { id, observed, purpose } = write;
  if (id === null || purpose === 'session' || scope.history.created.has(id) || observed === undefined) return undefined;
  const why = notOwnedBy(observed.live, scope);
  if (why === undefined || isAdoption(write, scope)) return undefined;
  return `${nameOf(write)} ${why}`;
}

/**
 * What lies inside an object is written only while that one is ours, too, or nobody's as when the plan was made: its own
 * adoption may come later. What this run made or released was ours.
 */
function insideAnothers(write: GatedWrite, scope: GateScope): string | undefined {
  const { purpose, parentId = '', parent } = write;
  const { created, released } = scope.history;
  if (purpose !== 'step' || parentId === '' || created.has(parentId) || released.has(parentId)) return undefined;
  if (parent?.live.id !== parentId)
    return `${parentId}, the parent of ${nameOf(write)}, was not read before the change`;
  const [why, before] = [notOwnedBy(parent.live, scope), scope.live.get(parentId)];
  const isForeign = before?.marker !== undefined && before.marker.stack !== scope.ownershipScope.stack;
  const wasNobodys = before !== undefined && !isForeign && why === notOwnedBy(before, scope);
  return why === undefined || wasNobodys ? undefined : `${nameOf(write)} is a child of ${parentId}, which ${why}`;
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
    case 'unclear':
      return `has an ownership marker that ${status.problem.what}`;
    case 'misplaced': {
      // What this run created itself is in no earlier state.
      const isOfKind = parseAddress(status.marker.address)?.kind.name === live.kind;
      const isInside = history.created.has(live.parentId ?? '') && isOfKind;
      return isInside ? undefined : `has the marker of ${status.marker.address}, but ${status.why}`;
    }
    default:
      return status satisfies never;
  }
}

const ADOPTING: readonly string[] = ['adopt', 'replace', 'update'];

/** The plan took the object over by its id while nobody owned it, and still nobody does. */
function isAdoption({ step, id, observed }: GatedWrite, { ownershipScope, live: known }: GateScope): boolean {
  if (step === undefined || step.live_id !== id || observed === undefined) return false;
  const { marker } = observed.live;
  const isNobodys = marker === undefined && ownershipIn(ownershipScope, known).of(observed.live).is === 'unowned';
  if (marker === undefined) return isNobodys && ADOPTING.includes(step.action);
  // Our marker where it does not belong makes nobody the owner (ADR-0017).
  return (
    marker.stack === ownershipScope.stack &&
    (step.action === 'adopt' || step.phase === 'delete' || step.phase === 'detach')
  );
}

/** A step writes to the object that the plan names, or to the one that it created itself. */
function notPlanned(write: GatedWrite, { history }: GateScope): string | undefined {
  const { purpose, step, id } = write;
  if (purpose !== 'step') return undefined;
  if (step === undefined) return `no step of the plan writes to ${nameOf(write)}`;
  if (id === step.live_id || history.created.get(id ?? '')?.address === step.address) return undefined;
  return `step ${step.id} is about ${step.live_id ?? 'a new object'}, and not about ${nameOf(write)}`;
}

/**
 * Nobody changed the object since the plan was made, or this run created it; there are no conditional requests. A field that
 * this run wrote may be as any of its writes left it, or as before, because a read may be behind any of them; and it may be
 * anything where the answer to a write did not show it.
 */
function moved({ step, observed, id, kind, address }: GatedWrite, { history }: GateScope): string | undefined {
  if (step === undefined || observed === undefined) return undefined;
  const { seen } = step;
  const inside = isRemoval(step) ? observed.children.map((live) => live.id) : [];
  const digests = (live: LiveResource) => fingerprintFields(kind, live, { children: inside, before: seen });
  const { fields, left = [] } = history.written.get(id ?? '') ?? {};
  const [now, ours] = [digests(observed.live), left.map((live) => live && digests(live))];
  const isOurs = (name: string) =>
    (seen === undefined || fields?.has(name) === true) &&
    (ours.length === 0 || ours.some((then) => then?.[name] === undefined || then[name] === now[name]));
  const changed = changedFields(seen ?? ours[0] ?? now, now).filter((name) => !isOurs(name));
  return changed.length === 0
    ? undefined
    : `${address} (${id ?? ''}) was changed since the plan was made: ${changed.join(', ')}`;
}

/** The marker's protection holds for what no manifest mentions, and for what goes with a deleted object. */
function protectedObject(write: GatedWrite): string | undefined {
  if (!removesObject(write) || write.observed === undefined) return undefined;
  const kept = [write.observed.live, ...write.observed.children].find((live) => live.marker?.protect === true);
  return kept === undefined ? undefined : `${kept.marker?.address ?? ''} (${kept.id}) is protected by its marker`;
}

/** What lies inside a deleted object goes with it. */
function foreignChildren(write: GatedWrite, { ownershipScope, history }: GateScope): string | undefined {
  if (!removesObject(write) || write.observed === undefined) return undefined;
  const { isOurs } = ownershipIn(ownershipScope, [write.observed.live, ...write.observed.children]);
  const other = write.observed.children.find((live) => !isOurs(live) && !history.created.has(live.id));
  return other === undefined
    ? undefined
    : `${other.id} inside ${nameOf(write)} is not owned by stack ${ownershipScope.stack}`;
}

/** What no plan deletes may be deleted only by the run that created it, and that had the answer: a marker may be another run's. */
function notCreatedHere(write: GatedWrite, { history }: GateScope): string | undefined {
  if (write.purpose !== 'roll-back') return undefined;
  const made = history.created.get(write.id ?? '');
  if (made === undefined || history.deleted.has(made.id)) return `${nameOf(write)} was not created by this run`;
  if (made.isFound !== true) return undefined;
  return `the answer to the creation of ${write.address} was lost, so ${made.id} may be that of another run`;
}

/** An address never loses its last object: another one, alive and ours, is there for the same address. */
function noSurvivor(write: GatedWrite, scope: GateScope): string | undefined {
  if (write.purpose !== 'roll-back') return undefined;
  const { survivor, observed, id } = write;
  const other = survivor?.live;
  if (other === undefined || observed === undefined || other.id === id || scope.history.deleted.has(other.id))
    return `no other object of ${write.address} is known to exist`;
  const isSame = other.kind === observed.live.kind && other.marker?.address === write.address;
  const why = isSame ? (notOwnedBy(other, scope) ?? whyCopied(scope.history, other)) : 'is another object';
  return why === undefined ? undefined : `${other.id} does not represent ${write.address}: it ${why}`;
}

/** What the manifest names by its id is what a person chose. */
function pinnedObject(write: GatedWrite, { pinned }: GateScope): string | undefined {
  const isPinned = write.purpose === 'roll-back' && pinned.has(write.id ?? '');
  return isPinned ? `${nameOf(write)} is pinned by its id` : undefined;
}

/** What others refer to would leave them with a reference to nothing. */
function stillReferenced(write: GatedWrite): string | undefined {
  const [first] = write.purpose === 'roll-back' ? (write.referrers ?? []) : [];
  return first === undefined ? undefined : `${first} still refers to ${nameOf(write)}`;
}

/** Sessions are ended one by one, and nothing else is deleted in their name (§2). */
function noSession({ purpose, kind, request }: GatedWrite): string | undefined {
  const isSession = kind.unmanaged === true && request.method === 'DELETE';
  if (purpose === 'session') return isSession ? undefined : `${withArticle(kind.title)} cannot be revoked by hand`;
  return kind.unmanaged === true ? `${withArticle(kind.title)} is never written` : undefined;
}

/** A marker that is written can be read again: a value that a reference brought may have broken the text. */
function unreadableMarker({ request, step, address }: GatedWrite, { ownershipScope }: GateScope): string | undefined {
  const text = request.body?.[METADATA];
  if (typeof text !== 'string' || step?.action === 'release') return undefined;
  const { stack, address: own } = readMarker(text).marker ?? {};
  return stack === ownershipScope.stack && own === address
    ? undefined
    : `the marker for ${address} could not be read again`;
}
