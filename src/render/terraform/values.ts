// Values of a plan as Terraform has them: what is unknown is left out, what is sensitive is a mask, and both are marked in
// objects of the same shape.

import { groupBy } from '../../core/group.ts';
import { isList, isObject, mapObject, type Json, type JsonObject } from '../../core/json.ts';
import { unescapeText } from '../../core/text/template.ts';
import { SECRET_MASK } from '../../core/secrets/secret.ts';
import { SECRET_CHANGED } from '../view/values/difference.ts';
import { isSensitiveMask, unknownIn } from '../view/values/value.ts';

/** A value by its path. */
export type Entry = readonly [path: readonly string[], value: Json];

/** The object that has each value at its path. */
function nested(entries: readonly Entry[]): JsonObject {
  const byKey = groupBy(entries, ([[key = '']]) => key);
  return Object.fromEntries(
    [...byKey].map(([key, members]) => {
      const whole = members.find(([path]) => path.length < 2);
      return [key, whole === undefined ? nested(members.map(([path, value]) => [path.slice(1), value])) : whole[1]];
    }),
  );
}

/** The value of an output, whose text is as it is. */
export function maskedOutput(value: Json): Json {
  if (isSensitiveMask(value)) return SECRET_MASK;
  if (isList(value)) return value.map(maskedOutput);
  return isObject(value) ? mapObject(value, maskedOutput) : value;
}

/** What is known of the values. */
export function knownValues(entries: readonly Entry[]): JsonObject {
  return nested(present(entries, known));
}

/** True in place of each value that is known after apply. */
export function unknownMarks(entries: readonly Entry[]): JsonObject {
  return nested(present(entries, (value) => marks(value, isUnknown)));
}

/** True in place of each value that is sensitive. */
export function sensitiveMarks(entries: readonly Entry[]): JsonObject {
  return nested(present(entries, (value) => marks(value, isSensitiveMask)));
}

function present(entries: readonly Entry[], make: (value: Json) => Json | undefined): Entry[] {
  return entries.flatMap(([path, value]): Entry[] => {
    const made = make(value);
    return made === undefined ? [] : [[path, made]];
  });
}

function isUnknown(value: Json): boolean {
  return typeof value === 'string' && unknownIn(value).length > 0;
}

/** Places in lists are kept, because marks are found by them. */
function known(value: Json): Json | undefined {
  if (isUnknown(value)) return undefined;
  if (typeof value === 'string') return unescapeText(value);
  if (isList(value)) return value.map((item) => known(item) ?? null);
  if (!isObject(value)) return value;
  if (isSensitiveMask(value)) return value['changed'] === true ? SECRET_CHANGED : SECRET_MASK;
  return mapObject(value, known);
}

function marks(value: Json, isMarked: (value: Json) => boolean): Json | undefined {
  if (isMarked(value)) return true;
  if (isList(value)) {
    const items = value.map((item) => marks(item, isMarked));
    return items.every((item) => item === undefined) ? undefined : items.map((item) => item ?? false);
  }
  if (!isObject(value) || isSensitiveMask(value)) return undefined;
  const made = mapObject(value, (item) => marks(item, isMarked));
  return Object.keys(made).length === 0 ? undefined : made;
}
