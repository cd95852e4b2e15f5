// Objects with an unreadable marker: whatever may own them waits, and nothing else does (ADR-0017).

import { groupBy } from '../../core/group.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Origins } from '../../resource/marker/moves.ts';
import type { Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource, MarkerProblem } from '../../resource/snapshot.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import type { PlanDiagnostic } from '../plan.ts';

/** The objects matched with certainty. */
interface MatchedObjects {
  readonly ownership: Ownership;
  readonly origins: Origins;
  /** Whether the manifest releases the object, by its marker or by the address in the journal. */
  readonly isReleased: (live: LiveResource) => boolean;
  readonly liveByAddress: ReadonlyMap<string, LiveResource>;
  readonly duplicates: ReadonlyMap<string, readonly LiveResource[]>;
}

/** An object whose marker is unreadable or was removed. */
interface UnclearObject {
  readonly live: LiveResource;
  /** The object's address according to a journal, as the manifest names it. */
  readonly address: string | null;
  /** Addresses that wait for it. */
  readonly waiting: readonly string[];
}

/** What waits for objects with an unreadable marker; `sorted` has parents before children. */
export function findUnclearOwnership(
  sorted: readonly DesiredResource[],
  resources: readonly LiveResource[],
  found: MatchedObjects,
) {
  const unclear = resources.filter((live) => found.ownership.of(live).is === 'unclear');
  const waiting = waitingFor(sorted, unclear, found);
  const held = heldBy(waiting);
  const tellOf = new Map(
    [...new Set(waiting.values())].map((objects) => [objects, heldBack(objects.filter((live) => !namesUs(live)))]),
  );
  const broken = unclear.filter((live) => live.markerProblem !== undefined);
  const named = broken.filter(namesUs);
  const isOther = (live: LiveResource) => !namesUs(live) && !held.has(live) && !found.isReleased(live);
  return {
    /** Addresses whose object, or its existence, is uncertain: nothing is planned for them. */
    held: withChildren(sorted, [...found.duplicates.keys(), ...waiting.keys()]),
    /** Objects that block something, that name the stack, or that a journal knows. */
    unclear: broken
      .filter((live) => namesUs(live) || held.has(live) || (isOther(live) && live.markerProblem.knownAs !== undefined))
      .map((live): UnclearObject => {
        const [knownAs, waiting = []] = [live.markerProblem.knownAs, held.get(live)];
        return { live, address: knownAs === undefined ? null : (waiting[0] ?? knownAs), waiting };
      }),
    diagnostics: [
      ...named.flatMap(brokenMarker),
      ...[...waiting].flatMap(([address, objects]) => tellOf.get(objects)?.(address) ?? []),
      ...broken.filter(isOther).flatMap(unattributed),
    ],
  };
}

/** Waiting addresses by object. Objects with the same ones share a list. */
function heldBy(waiting: ReadonlyMap<string, readonly LiveResource[]>): ReadonlyMap<LiveResource, readonly string[]> {
  const held = new Map<LiveResource, readonly string[]>();
  for (const [objects, entries] of groupBy(waiting, ([, list]) => list)) {
    const addresses = entries.map(([address]) => address);
    for (const live of objects) held.set(live, held.has(live) ? [...(held.get(live) ?? []), ...addresses] : addresses);
  }
  return held;
}

/** An unreadable marker that is not foreign and names a stack names ours. */
function namesUs({ markerProblem }: LiveResource): boolean {
  return markerProblem !== undefined && markerProblem.stacks.length > 0;
}

/**
 * By address without a live object: objects of its kind, in its place, that may be it. One that the journal knows can only
 * belong to its address. A block that names an id is certain.
 */
function waitingFor(
  sorted: readonly DesiredResource[],
  unclear: readonly LiveResource[],
  { liveByAddress, duplicates, origins }: MatchedObjects,
): Map<string, readonly LiveResource[]> {
  const byPlace = groupBy(unclear, (live) => live.markerProblem?.knownAs ?? `${live.kind} ${live.parentId ?? ''}`);
  const waiting = new Map<string, readonly LiveResource[]>();
  for (const { address, kind, parent, lifecycle } of sorted) {
    const isFound = liveByAddress.has(address) || duplicates.has(address);
    if (isFound || (lifecycle.id ?? lifecycle.adopt) !== undefined) continue;
    const above = parent === undefined ? undefined : liveByAddress.get(parent)?.id;
    const inPlace = byPlace.get(`${kind} ${above ?? ''}`) ?? [];
    const own = [address, ...origins(address)]
      .flatMap((place) => byPlace.get(place) ?? [])
      .filter((live) => live.kind === kind && (parent === undefined || above === undefined || live.parentId === above));
    const objects = own.length === 0 ? inPlace : [...own, ...inPlace];
    if (objects.length > 0) waiting.set(address, objects);
  }
  return waiting;
}

/** A child has no place until its parent is found. */
function withChildren(sorted: readonly DesiredResource[], addresses: readonly string[]): Set<string> {
  const held = new Set(addresses);
  for (const { address, parent } of sorted) if (held.has(parent ?? '')) held.add(address);
  return held;
}

/** An unreadable marker that names this stack: nothing is changed until a person has looked (ADR-0017). */
function brokenMarker(live: LiveResource): PlanDiagnostic[] {
  const way = `restore it in the object's metadata, or adopt the object with \`lifecycle: { adopt: ${live.id} }\``;
  return aboutMarker(live, 'error', `and names this stack: ${way}`);
}

/** A marker that names nobody and blocks nothing. */
function unattributed(live: LiveResource): PlanDiagnostic[] {
  const knownAs = live.markerProblem?.knownAs;
  const adopt = `adopt the object with \`lifecycle: { adopt: ${live.id} }\``;
  const rest =
    knownAs === undefined
      ? `so its owner is unknown; it is left alone: ${REMOVE_MARKER}, or ${adopt}`
      : `and the journal knows the object as ${knownAs}; it is left alone: ${adopt} under ${knownAs}, or, if it does not belong to the stack, run \`edgeform apply --resolve ${knownAs}=absent\``;
  return aboutMarker(live, 'warning', rest).map((one) => ({ ...one, address: knownAs ?? null }));
}

const REMOVE_MARKER = 'remove the key `edgeform`, or any other part of a marker, from its metadata';

function aboutMarker(
  { kind, id, markerProblem }: LiveResource,
  severity: PlanDiagnostic['severity'],
  rest: string,
): PlanDiagnostic[] {
  if (markerProblem === undefined) return [];
  const message = `the ownership marker of the ${kindByName(kind).title} ${id} ${markerProblem.what}, ${rest}`;
  return [{ code: 'broken-marker', severity, address: null, message }];
}

/** Maximum number of objects described in one problem. */
const MOST_DESCRIBED = 3;

/** The problem for each address that waits for objects which may be its own. */
function heldBack(objects: readonly LiveResource[]): (address: string) => PlanDiagnostic[] {
  const [first, second] = objects;
  if (first === undefined) return () => [];
  const described = objects
    .slice(0, MOST_DESCRIBED)
    .map(
      ({ id, markerProblem }) =>
        `${id}, ${asTheJournalSays(markerProblem)}whose ownership marker ${markerProblem?.what ?? ''}`,
    );
  const more = objects.length > MOST_DESCRIBED ? `; and ${objects.length - MOST_DESCRIBED} more` : '';
  const one = second === undefined ? first.id : 'ID';
  const others = [...new Set(objects.map(otherWay))].join(', or, ');
  const names = `${described.join('; or ')}${more}`;
  return (address) => {
    const message = `${address} may exist as ${names}; so it is not created: adopt the object with \`lifecycle: { adopt: ${one} }\` under ${address}, or, ${others}`;
    return [{ code: 'broken-marker', severity: 'error', address, message }];
  };
}

function asTheJournalSays(problem: MarkerProblem | undefined): string {
  return problem?.knownAs === undefined ? '' : `which the journal knows as ${problem.knownAs} and `;
}

function otherWay({ markerProblem }: LiveResource): string {
  const knownAs = markerProblem?.knownAs;
  if (knownAs === undefined) return `if it is a different object, ${REMOVE_MARKER}`;
  return `to leave it alone and create another, run \`edgeform apply --resolve ${knownAs}=absent\``;
}
