// Both sides of a difference for people. What is, is compared; then whatever is secret on one side is masked on both (ADR-0018,
// ADR-0084).

import { canonicalJson, isList, mapObject, type Json } from '../core/json.ts';
import { listDifference, type ListDifference } from '../core/list-difference.ts';
import { holdsSecret, isOpaque, isValueObject, revealed, toJson, type Value } from '../core/value.ts';
import type { Field } from '../catalog/field.ts';
import { canonicalField } from './canonical.ts';
import { equal } from './diff.ts';
import { display, MASK } from './placeholder.ts';

/** A mask inside a list or an object that says that the value behind it changed. */
const CHANGED_MASK = { ...MASK, changed: true } as const;

/** A difference as it is shown. */
interface ShownChange {
  readonly before: Json;
  readonly after: Json;
  readonly sensitive: boolean;
  /** Of lists with a secret in them: masks do not tell which of them are equal. */
  readonly items?: ListDifference;
}

/** `field` is that of the values; without one, the order of a list matters. */
export function displayChange(before: Value | undefined, after: Value | undefined, field?: Field): ShownChange {
  const sensitive = [before, after].some((value) => value !== undefined && holdsSecret(value));
  if (isOpaque(before) || isOpaque(after)) return { before: masked(before), after: masked(after), sensitive };
  if (sensitive && isList(before) && isList(after)) {
    return { ...showLists(before, after, field), sensitive };
  }
  return { ...showBoth(before, after), sensitive };
}

function masked(value: Value | undefined): Json {
  return value === undefined ? null : MASK;
}

type Shown = Pick<ShownChange, 'before' | 'after'>;
type ShownLists = Shown & Required<Pick<ShownChange, 'items'>>;

function showBoth(before: Value | undefined, after: Value | undefined): Shown {
  if (before === undefined || after === undefined) return { before: display(before), after: display(after) };
  if (isOpaque(before) || isOpaque(after)) return { before: MASK, after: equal(before, after) ? MASK : CHANGED_MASK };
  if (isList(before) && isList(after)) return withoutItems(showLists(before, after));
  // An item that was not there is another one, also where there was no list.
  if (isList(after)) return { before: display(before), after: after.map(showAdded) };
  if (!isValueObject(before) || !isValueObject(after)) return { before: display(before), after: display(after) };
  return {
    before: mapObject(before, (item, key) => showBoth(item, after[key]).before),
    after: mapObject(after, (item, key) => showBoth(before[key], item).after),
  };
}

function withoutItems({ before, after }: Shown): Shown {
  return { before, after };
}

/**
 * Lists with the places of the items that go and come. What is secret in the manifest is masked in the live list, too; the
 * manifest's own text is shown, even where the live one is masked.
 */
function showLists(before: readonly Value[], after: readonly Value[], field?: Field): ShownLists {
  const { order, items: itemField } = field?.type === 'list' ? field : IN_ORDER;
  const keyOf = (item: Value) => keyOfItem(item, itemField);
  const differ = (old: readonly Value[], now: readonly Value[]) =>
    listDifference(old.map(keyOf), now.map(keyOf), order);
  const secrets = new Set(after.filter(holdsSecret).map(keyOf));
  const isMasked = (item: Value) => holdsSecret(item) || secrets.has(keyOf(item));
  const given = differ(before, after);
  const arrange = (list: readonly Value[], differing: readonly number[]) =>
    order === 'kept' ? list : masksLast(list, differing, isMasked);
  const old = arrange(before, given.removed);
  const now = arrange(after, given.added);
  const items = differ(old, now);
  const isAdded = new Set(items.added);
  return {
    before: old.map((item) => (isMasked(item) && !holdsSecret(item) ? MASK : display(item))),
    after: now.map((item, at) => (isAdded.has(at) ? showAdded(item) : display(item))),
    items,
  };
}

/** A list of which the catalogue knows nothing. */
const IN_ORDER = { order: 'kept', items: undefined } as const;

/** The same for equal values, secret or not; it never leaves this file. */
function keyOfItem(item: Value, field: Field | undefined): string {
  return canonicalJson(revealed((field && canonicalField(field, item)) ?? item));
}

/** Where order does not matter, the place of a mask tells nothing of the secret: those that stay come before those that differ. */
function masksLast(list: readonly Value[], differing: readonly number[], isMasked: (item: Value) => boolean): Value[] {
  const differs = new Set(differing);
  const rank = (item: Value, at: number) => (isMasked(item) ? (differs.has(at) ? 2 : 1) : 0);
  return list
    .map((item, at) => ({ item, rank: rank(item, at) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

function showAdded(item: Value): Json {
  return toJson(item, (leaf) => (isOpaque(leaf) ? CHANGED_MASK : display(leaf)));
}
