// What the service answered in place of what was sent: by field, a digest of each (record 0088).

import type { Kind } from '../catalog/kind.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { secrecyOfDigest } from '../core/digest.ts';
import type { ShownValues } from '../core/shown-values.ts';
import { holdsUnknown, type ValueObject } from '../core/value.ts';
import { diffResource, valueWritten, type FieldDiff } from './diff.ts';
import { fieldDigest } from './digests.ts';
import type { LiveResource } from './snapshot.ts';

/** The values of a write that its answer shows otherwise. `salt`: that of the digests in the object's marker. */
export function untakenIn(kind: Kind, sent: ValueObject, { live, salt }: AnswerOf): ShownValues {
  const { [METADATA]: _, ...fields } = sent;
  const diffs = diffResource(kind, { ...live.spec, ...fields }, live, []).filter(mayBeUntaken);
  return new Map(diffs.map((diff) => [diff.name, shownOf(diff, salt)]));
}

interface AnswerOf {
  readonly live: LiveResource;
  readonly salt: string;
}

/**
 * A value that was sent, that an update can change, and in place of which another one is shown. Where nothing is shown, such as a
 * whole module, it is missing: sent again, and told each time.
 */
export function mayBeUntaken(diff: FieldDiff): boolean {
  const written = valueWritten(diff);
  const isShown = diff.differences.length > 0 && diff.differences.every(({ before }) => before !== undefined);
  return !diff.replaces && written !== undefined && !holdsUnknown(written) && isShown;
}

/** Digests of the value that was sent and of the one that is shown. What is shown in place of a secret may be a part of it. */
export function shownOf({ field, desired, live }: FieldDiff, salt: string): string {
  const sent = fieldDigest(field, desired, salt) ?? '';
  const secrecy = secrecyOfDigest(sent);
  return `${sent}.${fieldDigest(field, live, salt, secrecy === 'plain' ? undefined : secrecy) ?? ''}`;
}

/** Whether live is what the service showed then. */
export function isStillShown(noted: string, { field, live }: FieldDiff, salt: string): boolean {
  const [, shown = ''] = noted.split('.');
  return shown === (fieldDigest(field, live, salt, secrecyOfDigest(shown)) ?? '');
}
