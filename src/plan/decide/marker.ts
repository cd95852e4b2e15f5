// The metadata text of a request: the user's own text, and the marker with digests of the applied values (ADR-0003).

import type { Diagnostic } from '../../core/diagnostic.ts';
import { mapObject } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Expression, type Value, type ValueObject } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import { markerTraceIn, metadataOverflow } from '../../resource/marker/marker-codec.ts';
import { pendingValue } from '../../resource/marker/pending.ts';
import type { Marker } from '../../resource/snapshot.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import { digestLength, digestOfMany, saltOf } from '../../resource/digests.ts';
import { display, digestPlaceholder } from '../../resource/placeholder.ts';
import { escapeText } from '../../core/text/template.ts';
import type { Change } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import {
  adoptedBy,
  adoptedFrom,
  METADATA_DIFFERS,
  movedFrom,
  notRecorded,
  protectionSwitched,
  renamedFrom,
  storedValue,
} from './reason.ts';

/** The marker of a resource once `spec` is applied; digests that depend on unknown values are placeholders. */
export function markerFor(stack: string, desired: DesiredResource, kind: Kind, spec: ValueObject): Marker {
  const salt = saltOf({ stack, address: desired.address });
  const applied = digestOfMany(kind, spec, salt);
  const marker = { v: 1, stack, address: desired.address, applied } as const;
  return desired.lifecycle.preventDestroy === true ? { ...marker, protect: true } : marker;
}

/** The marker of a new object, which records the object that it replaces. */
export function withReplaced(marker: Marker, replaces: string | undefined): Marker {
  return replaces === undefined ? marker : { ...marker, replaces };
}

/** The marker with the previous digests of these fields, because they stay unchanged. */
export function withKeptDigests(
  marker: Marker,
  before: Marker | undefined,
  kind: Kind,
  names: readonly string[],
): Marker {
  const applied = (name: string) => (names.includes(name) ? before : marker)?.applied[name];
  const kept = Object.keys(kind.fields).flatMap((name) => {
    const digest = applied(name);
    return digest === undefined ? [] : [[name, digest] as const];
  });
  return names.length === 0 ? marker : { ...marker, applied: Object.fromEntries(kept) };
}

/** Further reasons to write the metadata. */
interface RewriteReasons {
  /** `moved` brings the object from another stack. */
  readonly isTransfer: boolean;
  readonly textChanges: readonly Change[];
  /** Fields whose digest is that of an earlier value; slow, because secrets must be located. */
  readonly outdated: () => readonly string[];
}

/** Why the metadata must be written although no field differs, or undefined. */
export function reasonToRewrite(
  live: Marker | undefined,
  { stack, desired, kind }: { readonly stack: string; readonly desired: DesiredResource; readonly kind: Kind },
  { isTransfer, textChanges, outdated }: RewriteReasons,
): Reason | undefined {
  if (live === undefined) return adoptedBy(desired.lifecycle.pin?.by ?? 'adopt');
  if (isTransfer) return movedFrom(live, { stack, address: desired.address });
  if (live.stack !== stack) return adoptedFrom(live.stack);
  if (live.address !== desired.address) return renamedFrom(live.address);
  const protect = desired.lifecycle.preventDestroy === true;
  if ((live.protect === true) !== protect) return protectionSwitched(protect);
  const pending = pendingValue(kind, live);
  if (pending !== undefined) return storedValue(pending);
  if (textChanges.length > 0) return METADATA_DIFFERS;
  const names = outdated();
  return names.length === 0 ? undefined : notRecorded(names);
}

/** The user's metadata from the manifest, with references as placeholders. */
export function userText(spec: ValueObject): string {
  const value = spec[METADATA] ?? '';
  return typeof value === 'string' ? escapeText(value) : String(display(value));
}

/** The metadata that a request sends, and its context. */
interface Sent {
  /** The values that the service will have. */
  readonly next: ValueObject;
  readonly marker: Marker;
  /** The values that the marker's digests are made of. */
  readonly spec: ValueObject;
  readonly isNew?: boolean;
}

/** Problems of the metadata as sent: it contains a marker itself, or is too long with ours. */
export function checkText(kind: Kind, address: string, sent: Sent): Diagnostic[] {
  const user = knownText(sent.next[METADATA] ?? '');
  const marked = markerTraceIn(user);
  if (marked === undefined) return checkLength(kind, address, user, sent);
  const message = `metadata of ${address} ${marked}, but only edgeform writes ownership markers`;
  const fix = 'remove it from the values that the text refers to';
  return [{ code: 'marker-in-metadata', severity: 'error', address, path: METADATA, message, fix }];
}

/** An error when the text and the marker are too long together (§8), with the length left for the user. */
function checkLength(kind: Kind, address: string, user: string, { marker, spec, isNew }: Sent): Diagnostic[] {
  const applied = mapObject(marker.applied, (digest, name) => {
    const length = digestLength(kind.fields[name], spec[name]);
    return digest.replace(digestPlaceholder(name), () => 'x'.repeat(length));
  });
  const words = metadataOverflow(kind, user, { ...marker, applied }, isNew);
  if (words === undefined) return [];
  const message = `metadata of ${address} is too long together with the ownership marker`;
  return [{ code: 'metadata-too-long', severity: 'error', address, path: METADATA, message, ...words }];
}

/** The text without values that are known only after apply. */
function knownText(leaf: Value): string {
  if (leaf instanceof Secret) return leaf.reveal();
  if (!(leaf instanceof Expression)) return typeof leaf === 'string' ? leaf : '';
  return leaf.written(
    (secret) => secret.reveal(),
    () => '',
  );
}
