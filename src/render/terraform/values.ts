// Values of a plan in Terraform's form: unknown values are left out, sensitive ones masked, and both are marked in objects of
// the same shape.

import { groupBy } from '../../core/group.ts';
import { isList, isObject, mapObject, type Json, type JsonObject } from '../../core/json.ts';
import { unescapeText } from '../../core/text/template.ts';
import { SECRET_MASK } from '../../core/secrets/secret.ts';
import { SECRET_CHANGED } from '../view/values/difference.ts';
import { isSensitiveMask, unknownIn } from '../view/values/value.ts';

/** A value by its path. */
export type Entry = readonly [path: readonly string[], value: Json];

/** An object with the result of `make` at each path, without undefined results. */
function nested(entries: readonly Entry[], make: (value: Json) => Json | undefined): JsonObject {
  const made = entries.flatMap(([path, value]): Entry[] => {
    const one = make(value);
    return one === undefined ? [] : [[path, one]];
  });
  return objectOf(made);
}

function objectOf(entries: readonly Entry[]): JsonObject {
  const byKey = groupBy(entries, ([[key = '']]) => key);
  return Object.fromEntries(
    [...byKey].map(([key, members]) => {
      const whole = members.find(([path]) => path.length < 2);
      return [key, whole === undefined ? objectOf(members.map(([path, value]) => [path.slice(1), value])) : whole[1]];
    }),
  );
}

/** Both sides of a change, with marks for unknown and sensitive parts. */
export function sides(
  before: readonly Entry[] | undefined,
  after: readonly Entry[] | undefined,
  isNew: boolean,
): JsonObject {
  return {
    before: before === undefined ? null : nested(before, known),
    after: after === undefined ? null : nested(after, known),
    after_unknown: { ...(isNew && { id: true }), ...marksOf(after ?? [], isUnknown) },
    before_sensitive: before === undefined ? false : marksOf(before, isSensitiveMask),
    after_sensitive: after === undefined ? false : marksOf(after, isSensitiveMask),
  };
}

/** A known output counts as unchanged; old values of the others are not stored anywhere. */
export function outputOf(value: Json): JsonObject {
  const isKnown = value !== null;
  const shown = maskedOutput(value);
  const sensitive = marks(value, isSensitiveMask) ?? false;
  return {
    actions: [isKnown ? 'no-op' : 'create'],
    before: shown,
    ...(isKnown && { after: shown }),
    after_unknown: !isKnown,
    before_sensitive: sensitive,
    after_sensitive: sensitive,
  };
}

/** The value of an output, whose text is not escaped. */
function maskedOutput(value: Json): Json {
  if (isSensitiveMask(value)) return SECRET_MASK;
  if (isList(value)) return value.map(maskedOutput);
  return isObject(value) ? mapObject(value, maskedOutput) : value;
}

/** True in place of each marked value. */
function marksOf(entries: readonly Entry[], isMarked: (value: Json) => boolean): JsonObject {
  return nested(entries, (value) => marks(value, isMarked));
}

function isUnknown(value: Json): boolean {
  return typeof value === 'string' && unknownIn(value).length > 0;
}

/** List indices are kept, because marks refer to them. */
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
