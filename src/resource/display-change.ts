// Both sides of a difference for people: whatever is secret on one side is masked on both (ADR-0018).

import { isList, mapObject, type Json } from '../core/json.ts';
import { holdsSecret, isOpaque, isValueObject, toJson, type Value } from '../core/value.ts';
import { equal } from './diff.ts';
import { display, MASK } from './placeholder.ts';

/** A mask inside a list or an object that says that the value behind it changed. */
const CHANGED_MASK = { ...MASK, changed: true } as const;

export function displayChange(before: Value | undefined, after: Value | undefined) {
  const sensitive = [before, after].some((value) => value !== undefined && holdsSecret(value));
  if (isOpaque(before) || isOpaque(after)) return { before: masked(before), after: masked(after), sensitive };
  return { before: showOld(before, after), after: showNew(before, after), sensitive };
}

function masked(value: Value | undefined): Json {
  return value === undefined ? null : MASK;
}

function showOld(before: Value | undefined, after: Value | undefined): Json {
  if (before === undefined) return null;
  if (isOpaque(before) || isOpaque(after)) return MASK;
  if (!isValueObject(before)) return display(before);
  const beside = isValueObject(after) ? after : {};
  return mapObject(before, (item, key) => showOld(item, beside[key]));
}

function showNew(before: Value | undefined, after: Value | undefined): Json {
  if (after === undefined) return null;
  if (before === undefined) return display(after);
  if (isOpaque(before) || isOpaque(after)) return equal(before, after) ? MASK : CHANGED_MASK;
  if (isList(after)) {
    const old = isList(before) ? before : [];
    return after.map((item) =>
      holdsSecret(item) && !old.some((one) => equal(one, item)) ? showChanged(item) : display(item),
    );
  }
  if (!isValueObject(after)) return display(after);
  const beside = isValueObject(before) ? before : {};
  return mapObject(after, (item, key) => showNew(beside[key], item));
}

function showChanged(item: Value): Json {
  return toJson(item, (leaf) => (isOpaque(leaf) ? CHANGED_MASK : display(leaf)));
}
