// Why no object, or none of several, is that of a block, in words: edgeform does not guess between them.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { describeOwner, type Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';

export function duplicate(address: string, found: readonly LiveResource[]): Diagnostic {
  const message = `${address} exists ${found.length} times (${idsOf(found)}); edgeform does not guess which one is right`;
  const fix =
    'pin the right one with `lifecycle: { id: … }`, and the plan deletes the others, or remove the marker from objects that do not belong to the stack';
  return { code: 'duplicate-marker', severity: 'error', address, message, fix };
}

export function bothExist(address: string, own: readonly LiveResource[], moved: readonly LiveResource[]): Diagnostic {
  const old = moved[0]?.marker?.address ?? '';
  const message = `${address} exists (${idsOf(own)}), and so does ${old} (${idsOf(moved)}), which \`moved\` renames to it`;
  const fix = `remove the entry to delete ${old}, or pin the right one with \`lifecycle: { id: … }\``;
  return { code: 'moved-conflict', severity: 'error', address, message, fix };
}

export function severalTransferred(address: string, found: readonly LiveResource[]): Diagnostic {
  const origins = found
    .map(({ id, marker }) => `${marker === undefined ? '' : describeOwner(marker)} (${id})`)
    .join(', ');
  const message = `\`moved\` brings ${found.length} objects to ${address}: ${origins}; edgeform does not guess which one is right`;
  const fix = 'pin the right one with `lifecycle: { id: … }`, and the others stay with their stack';
  return { code: 'moved-conflict', severity: 'error', address, message, fix };
}

/** A marker of this stack in the wrong place is reported, and the object is left alone (ADR-0017). */
export function misplaced(live: LiveResource, { of }: Ownership): Diagnostic[] {
  const status = of(live);
  if (status.is !== 'misplaced') return [];
  const { marker, why } = status;
  const message = `the ${kindByName(live.kind).title} ${live.id} carries the ownership marker of ${marker.address}, but ${why}; it is left alone`;
  const fix = `remove the marker from its metadata, or adopt the object with \`lifecycle: { adopt: ${live.id} }\``;
  return [{ code: 'misplaced-marker', severity: 'warning', live_id: live.id, message, fix }];
}

function idsOf(found: readonly LiveResource[]): string {
  return found.map((live) => live.id).join(', ');
}
