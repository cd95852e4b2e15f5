// The values of an object as its marker says that they were applied: what the service chose for them is left out again, so that
// a plan of the export has nothing to record.

import type { Path } from '../core/json.ts';
import { isValueObject, type Value, type ValueObject } from '../core/value.ts';
import type { Field } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { isDigestOf, saltOf } from '../resource/digests.ts';
import type { LiveResource } from '../resource/snapshot.ts';

/** With more values chosen by the service, only all of them or none are left out. */
const MAX_CHOICES = 6;

/** The content, without what the marker proves that the service chose; as it is where nothing proves it. */
export function asApplied(kind: Kind, content: ValueObject, live: LiveResource): ValueObject {
  const { marker } = live;
  if (marker === undefined) return content;
  // A choice that only the creation could make is left out elsewhere; the manifest made it itself.
  const made = Object.keys(marker.applied).filter((name) => kind.fields[name]?.write === 'create' && name in live.spec);
  const given = { ...Object.fromEntries(made.map((name) => [name, live.spec[name] ?? null])), ...content };
  const entries = Object.entries(given).flatMap(([name, value]): [string, Value][] => {
    const field = kind.fields[name];
    if (field === undefined) return [[name, value]];
    const digest = marker.applied[name];
    const isApplied = (one: Value) => isDigestOf(digest, field, one, saltOf(marker));
    return [[name, firstOf(candidates(field, value), isApplied) ?? value]];
  });
  return Object.fromEntries(entries);
}

function firstOf(values: Iterable<Value>, test: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (test(value)) return value;
  return undefined;
}

/** The value, the value without all that the service may have chosen, and then, one by one, every combination. */
function* candidates(field: Field, value: Value): Generator<Value> {
  const choices = choicesIn(field, value, []);
  yield value;
  yield choices.reduce(without, value);
  const count = choices.length <= MAX_CHOICES ? 2 ** choices.length : 0;
  for (let bits = 1; bits < count - 1; bits++)
    yield choices.filter((_choice, at) => (bits >> at) % 2 === 1).reduce(without, value);
}

function choicesIn(field: Field, value: Value, above: Path): Path[] {
  if (field.type !== 'object' || !isValueObject(value)) return [];
  return Object.entries(field.fields).flatMap(([name, sub]) => {
    const item = value[name];
    if (item === undefined) return [];
    return sub.default === 'service' ? [[...above, name]] : choicesIn(sub, item, [...above, name]);
  });
}

function without(value: Value, [head = '', ...rest]: Path): Value {
  if (!isValueObject(value)) return value;
  const { [head]: inner, ...others } = value;
  return rest.length === 0 || inner === undefined ? others : { ...others, [head]: without(inner, rest) };
}
