// What is said of objects that cannot be matched, or whose marker does not count. Knows no search.

import { kindByName } from '../../catalog/lookup.ts';
import type { Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource, MarkerProblem } from '../../resource/snapshot.ts';
import type { Lifecycle } from '../../manifest/manifest.ts';
import type { PlanDiagnostic } from '../plan.ts';

function idsOf(found: readonly LiveResource[]): string {
  return found.map((live) => live.id).join(', ');
}

export function duplicate(address: string, found: readonly LiveResource[]): PlanDiagnostic {
  const message = `${address} exists ${found.length} times (${idsOf(found)}); edgeform does not guess which one is right: pin it with \`lifecycle: { id: … }\`, and the plan deletes the others, or remove the marker from objects that do not belong to the stack`;
  return { code: 'duplicate-marker', severity: 'error', address, message };
}

/** The stack's name where it does not belong: told, and left alone (ADR-0017). */
export function misplaced(live: LiveResource, { of }: Ownership): PlanDiagnostic[] {
  const status = of(live);
  if (status.is !== 'misplaced') return [];
  const { marker, why } = status;
  const message = `the ${kindByName(live.kind).title} ${live.id} carries the ownership marker of ${marker.address}, but ${why}; it is left alone: remove the marker from its metadata, or adopt the object with \`lifecycle: { adopt: ${live.id} }\``;
  return [{ code: 'misplaced-marker', severity: 'warning', address: null, message }];
}

/** A marker that names this stack and cannot be read: nothing is changed before a person has looked (ADR-0017). */
export function brokenMarker(live: LiveResource): PlanDiagnostic[] {
  const way = `restore it in the object's metadata, or adopt the object with \`lifecycle: { adopt: ${live.id} }\``;
  return aboutMarker(live, 'error', `and names this stack: ${way}`);
}

/** One that names nobody, and for which nothing waits. */
export function unattributed(live: LiveResource): PlanDiagnostic[] {
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

/** How many objects one problem describes. */
const MOST_DESCRIBED = 3;

/** What each address is told that waits for objects which may be its own. */
export function heldBack(objects: readonly LiveResource[]): (address: string) => PlanDiagnostic[] {
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

export function bothExist(
  address: string,
  own: readonly LiveResource[],
  moved: readonly LiveResource[],
): PlanDiagnostic {
  const old = moved[0]?.marker?.address ?? '';
  const message = `${address} exists (${idsOf(own)}), and so does ${old} (${idsOf(moved)}), which \`moved\` renames to it; remove the entry to delete ${old}, or pin the right one with \`lifecycle: { id: … }\``;
  return { code: 'moved-conflict', severity: 'error', address, message };
}

/** `is pinned to ID`, or what it is where the object is not ours yet. */
export function namesObject(lifecycle: Lifecycle | undefined, id: string): string {
  return `${lifecycle?.adopt === id ? 'is to adopt' : 'is pinned to'} ${id}`;
}
