// The metadata text a request carries: the user's own text and the marker with digests of what is applied (ADR-0003).

import { byteLength, charLength } from '../base/text.ts';
import type { ValueObject } from '../base/value.ts';
import { METADATA } from '../catalog/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { writeMarker } from '../live/owner.ts';
import type { Marker } from '../live/snapshot.ts';
import type { DesiredResource } from '../manifest/manifest.ts';
import { digestedFields, digestOfMany, saltOf } from './digests.ts';
import { display, digestOf, escapeText } from './placeholder.ts';
import type { PlanDiagnostic } from './plan.ts';

/** What stands in a marker for the digest of a value that is shown once, until it is known to be stored (§5). */
export const PENDING = 'pending';

/** Names of values that the service shows once, at creation. */
export function onceFields(kind: Kind): string[] {
  return Object.keys(kind.fields).filter((name) => kind.fields[name]?.read === 'once');
}

/** True when a value that was shown once never reached its file: nobody has it. */
export function lostOnce(kind: Kind, marker: Marker | undefined): string | undefined {
  return onceFields(kind).find((name) => marker?.applied[name] === PENDING);
}

/** The marker of a resource once `spec` is applied; digests that depend on unknown values are placeholders. */
export function markerFor(stack: string, desired: DesiredResource, kind: Kind, spec: ValueObject): Marker {
  const salt = saltOf(stack, desired.address);
  const applied = digestOfMany(kind, digestedFields(kind, spec), spec, { salt, unknown: digestOf });
  const marker = { v: 1, stack, address: desired.address, applied } as const;
  return desired.lifecycle.preventDestroy === true ? { ...marker, protect: true } : marker;
}

/** The marker of an object whose values that are shown once are not stored yet. */
export function unsettled(marker: Marker, kind: Kind): Marker {
  const pending = onceFields(kind).map((name) => [name, PENDING] as const);
  return pending.length === 0 ? marker : { ...marker, applied: { ...marker.applied, ...Object.fromEntries(pending) } };
}

/** The user's metadata as the manifest gives it, with references as placeholders. */
export function userText(spec: ValueObject): string {
  const value = spec[METADATA] ?? '';
  return typeof value === 'string' ? escapeText(value) : String(display(value));
}

/** Metadata text for a request; placeholders are inside. */
export function metadataText(user: string, marker: Marker): string {
  return writeMarker(user, marker);
}

/** An error when user text and marker together are too long for the service (§8), with what is left for the user. */
export function checkLength(kind: Kind, address: string, user: string, marker: Marker): PlanDiagnostic[] {
  const field = kind.fields[METADATA];
  if (field?.type !== 'string') return [];
  const inChars = field.maxChars !== undefined;
  const limit = field.maxChars ?? field.maxBytes ?? Infinity;
  const measure = inChars ? charLength : byteLength;
  const filled = {
    ...marker,
    applied: Object.fromEntries(Object.keys(marker.applied).map((name) => [name, 'x'.repeat(16)])),
  };
  const used = measure(writeMarker(user, filled));
  if (used <= limit) return [];
  const left = limit - (used - measure(user));
  const unit = inChars ? 'characters' : 'bytes';
  return [
    {
      code: 'metadata-too-long',
      severity: 'error',
      address,
      message: `metadata of ${address} has ${measure(user)} ${unit}, but with the ownership marker only ${left} of ${limit} are left for it; shorten it by ${measure(user) - left}`,
    },
  ];
}
