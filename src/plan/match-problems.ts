// What is said of objects that cannot be matched, or whose marker does not count. Knows no search.

import { kindByName } from '../catalog/lookup.ts';
import type { Ownership } from '../live/ownership.ts';
import type { LiveResource } from '../live/snapshot.ts';
import type { PlanDiagnostic } from './plan.ts';

function idsOf(found: readonly LiveResource[]): string {
  return found.map((live) => live.id).join(', ');
}

export function duplicate(address: string, found: readonly LiveResource[]): PlanDiagnostic {
  return {
    code: 'duplicate-marker',
    severity: 'error',
    address,
    message: `${address} exists ${found.length} times (${idsOf(found)}); nothing is guessed: pin the right one with \`lifecycle: { id: … }\`, and the others are deleted by the plan`,
  };
}

/** The stack's name where it does not belong: told, and left alone (ADR-0017). */
export function misplaced(live: LiveResource, { of }: Ownership): PlanDiagnostic[] {
  const standing = of(live);
  if (standing.is !== 'misplaced') return [];
  const { marker, why } = standing;
  return [
    {
      code: 'misplaced-marker',
      severity: 'warning',
      address: null,
      message: `the ${kindByName(live.kind).title} ${live.id} carries the ownership marker of ${marker.address}, but ${why}; it is left alone: take the marker out of its metadata, or take the object over with \`lifecycle: { adopt: ${live.id} }\``,
    },
  ];
}

/** What cannot be read may be ours, so nothing is changed before a person has looked (ADR-0017). */
export function brokenMarker({ kind, id, markerProblem }: LiveResource): PlanDiagnostic[] {
  if (markerProblem === undefined) return [];
  const whose = markerProblem.stacks.length > 0 ? 'names this stack' : 'may be that of this stack';
  return [
    {
      code: 'broken-marker',
      severity: 'error',
      address: null,
      message: `the ownership marker of the ${kindByName(kind).title} ${id} ${markerProblem.what}, and ${whose}: restore it in the object's metadata, or remove it wholly and take the object over with \`lifecycle: { adopt: ${id} }\``,
    },
  ];
}

export function bothExist(
  address: string,
  own: readonly LiveResource[],
  moved: readonly LiveResource[],
): PlanDiagnostic {
  const old = moved[0]?.marker?.address ?? '';
  return {
    code: 'moved-conflict',
    severity: 'error',
    address,
    message: `${address} exists (${idsOf(own)}), and so does ${old} (${idsOf(moved)}), which \`moved\` renames to it; remove the entry to delete ${old}, or pin the right one with \`lifecycle: { id: … }\``,
  };
}
