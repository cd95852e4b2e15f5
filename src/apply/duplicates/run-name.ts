// The run's name in the markers of objects that it creates. A creation whose answer was lost is found by its marker, but
// another run may have created the same address: only the name tells whose the object is (ADR-0022).

import { Secret } from '../../core/secrets/secret.ts';
import type { Value, ValueObject } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { textLimit } from '../../catalog/text-limits.ts';
import type { Kind } from '../../catalog/kind.ts';
import { readMarker, writeMarker } from '../../resource/marker/marker-codec.ts';

/** The body of a write to a run's own new object, with its name in the marker; unchanged if the text would become too long (§8). */
export function withRunName(kind: Kind, values: ValueObject, signature: string | undefined): ValueObject {
  const metadata = values[METADATA];
  if (signature === undefined) return values;
  const sign = (text: string) => signText(kind, text, signature);
  if (typeof metadata === 'string') return { ...values, [METADATA]: sign(metadata) };
  return metadata instanceof Secret ? { ...values, [METADATA]: metadata.map(sign) } : values;
}

function signText(kind: Kind, text: string, signature: string): string {
  const { marker, user } = readMarker(text);
  if (marker === undefined) return text;
  const long = writeMarker(user, { ...marker, created_by: signature });
  return isTooLong(kind, long) ? text : long;
}

function isTooLong(kind: Kind, text: string): boolean {
  const field = kind.fields[METADATA];
  if (field?.type !== 'string') return false;
  const { most, measure } = textLimit(field);
  return measure(text) > most;
}

export function runNameIn(metadata: Value | undefined): string | undefined {
  const text = metadata instanceof Secret ? metadata.reveal() : metadata;
  return typeof text === 'string' ? readMarker(text).marker?.created_by : undefined;
}
