// What the change of a field does to who gets in, by what the catalogue says of it. Pure (record 0101).
//
//   ip_restriction goes, or is switched off           opens
//   oauth comes                                       closes
//   teams: [ops] → [ops, dev]                         opens, with `dev`
//   teams: [ops] → []                                 opens: an empty list may stop nobody
//   teams: [] → [ops]                                 changes: what an empty list meant is not said
//   min_version: "1.2" → "1.3"                        closes
//   inactivity_timeout: 0 → 300                       changes: a 0 may mean no limit
//   issuer: one → another                             changes
//
// What cannot be told counts as `changes`, and never as `closes`.

import { canonicalJson, isList, type Json } from '../core/json.ts';
import { listDifference, swappedDifference, type ListDifference } from '../core/list-difference.ts';
import { valueAt, type Value } from '../core/value.ts';
import { ENABLED } from '../catalog/fields/common.ts';
import type { Access, Field } from '../catalog/field.ts';
import { fieldAt } from '../catalog/walk.ts';
import { isSwitchedOff } from './canonical.ts';

export type Effect =
  /** More can get in. */
  | 'opens'
  /** Fewer can. */
  | 'closes'
  /** Others can, and nobody can tell from here whether they are more. */
  | 'changes';

/** One effect, with what is shown of both sides; null is nothing. */
export interface FieldExposure {
  readonly effect: Effect;
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** A difference below a top-level field as it is shown, with secrets masked. */
export interface ShownDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** Which items of a list differ, where masks cannot tell. */
  readonly items?: ListDifference | undefined;
}

/** A top-level field of an object before and after, and what differs. */
export interface ChangedField {
  readonly name: string;
  readonly field: Field;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly differences: readonly ShownDifference[];
}

export function exposuresOfField(changed: ChangedField): FieldExposure[] {
  const { field, differences } = changed;
  if (field.access === undefined || differences.length === 0) return [];
  return field.module === true ? exposuresOfModule(changed) : differences.flatMap((one) => effectsOf(one, changed));
}

/** The same, the other way round. */
export function swapped({ before, after, differences, ...field }: ChangedField): ChangedField {
  const turned = differences.map(({ path, before: was, after: is, items }) => ({
    path,
    before: is,
    after: was,
    items: items && swappedDifference(items),
  }));
  return { ...field, before: after, after: before, differences: turned };
}

/** Whether a module acts upon traffic. */
export function isOn(module: Value | undefined): boolean {
  return module !== undefined && module !== null && !isSwitchedOff(module);
}

function exposuresOfModule(changed: ChangedField): FieldExposure[] {
  const { name, field, before, after, differences } = changed;
  const [was, is] = [isOn(before), isOn(after)];
  if (was && is) return differences.flatMap((one) => effectsOf(one, changed));
  if (!was && !is) return [];
  const shown = differences.find(({ path }) => path === name) ?? differences.find(isSwitch) ?? differences[0];
  if (shown === undefined) return [];
  const { path } = shown;
  return [{ effect: effectOfSwitch(field.access, is), path, before: shown.before, after: shown.after }];
}

function isSwitch({ path }: ShownDifference): boolean {
  return path.endsWith(`.${ENABLED}`);
}

function effectOfSwitch(access: Access | undefined, isOnNow: boolean): Effect {
  if (access !== 'guard') return 'changes';
  return isOnNow ? 'closes' : 'opens';
}

/** A value, what the catalogue says of it, and how it is shown. */
interface ChangedValue {
  readonly shown: ShownDifference;
  readonly field: Field | undefined;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

function effectsOf(shown: ShownDifference, { name, field, before, after }: ChangedField): FieldExposure[] {
  const [, ...inside] = shown.path.split('.');
  const at = { [name]: field };
  const leaf = fieldAt(at, [name, ...inside]);
  const access = inside.length === 0 ? field.access : (leaf?.access ?? 'either');
  const value = { shown, field: leaf, before: valueAt(before, inside), after: valueAt(after, inside) };
  switch (access) {
    case undefined:
    case 'neutral':
      return [];
    case 'reach':
      return leaf?.type === 'list' ? effectsOfList(value, 'reach') : asShown(shown, effectOfReach(value));
    case 'admits':
      return effectsOfList(value, 'admits');
    case 'more':
    case 'less':
      return asShown(shown, effectOfRank(value, access));
    case 'guard':
    case 'either':
      return asShown(shown, isEmptied(value) ? 'opens' : 'changes');
    default:
      return access satisfies never;
  }
}

function asShown({ path, before, after }: ShownDifference, effect: Effect): FieldExposure[] {
  return [{ effect, path, before, after }];
}

function effectOfReach({ shown: { before, after } }: ChangedValue): Effect {
  if (before === null) return 'opens';
  return after === null ? 'closes' : 'changes';
}

function itemsOf(value: Json): readonly Json[] {
  return isList(value) ? value : [];
}

/** A list that named somebody, and names nobody. */
function isEmptied({ field, shown: { before, after } }: ChangedValue): boolean {
  return field?.type === 'list' && itemsOf(before).length > 0 && itemsOf(after).length === 0;
}

/** What comes and what goes are two effects. */
function effectsOfList(value: ChangedValue, access: 'reach' | 'admits'): FieldExposure[] {
  const { shown, field } = value;
  const [before, after] = [itemsOf(shown.before), itemsOf(shown.after)];
  if (access === 'admits' && isEmptied(value)) return asShown(shown, 'opens');
  if (access === 'admits' && before.length === 0) return asShown(shown, meansEveryone(field) ? 'closes' : 'changes');
  const { added, removed } =
    shown.items ?? listDifference(before.map(canonicalJson), after.map(canonicalJson), 'ignored');
  const [newItems, lostItems] = [added.map((at) => after[at] ?? null), removed.map((at) => before[at] ?? null)];
  const { path } = shown;
  return [
    ...(newItems.length === 0 ? [] : [{ effect: 'opens', path, before: null, after: newItems } as const]),
    ...(lostItems.length === 0 ? [] : [{ effect: 'closes', path, before: lostItems, after: null } as const]),
  ];
}

function meansEveryone(field: Field | undefined): boolean {
  return field?.type === 'list' && field.whenEmpty === 'everyone';
}

function effectOfRank({ field, before, after }: ChangedValue, access: 'more' | 'less'): Effect {
  const order = compareRanks(rankOf(before ?? defaultOf(field)), rankOf(after ?? defaultOf(field)));
  if (order === undefined || order === 0) return 'changes';
  return order < 0 === (access === 'more') ? 'opens' : 'closes';
}

function defaultOf(field: Field | undefined): Json | undefined {
  return typeof field?.default === 'object' ? field.default.value : undefined;
}

/** Parts that are compared one after the other; undefined for a value of which it is not known how much it is. */
type Rank = readonly number[] | undefined;

const VERSION = /^\d+(?:\.\d+)*$/;

function rankOf(value: Value | undefined): Rank {
  if (typeof value === 'boolean') return [Number(value)];
  // A 0 may stand for no limit.
  if (typeof value === 'number') return value > 0 ? [value] : undefined;
  return typeof value === 'string' && VERSION.test(value) ? value.split('.').map(Number) : undefined;
}

/** Below 0 if the first is less; undefined if that cannot be told. */
function compareRanks(one: Rank, other: Rank): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
