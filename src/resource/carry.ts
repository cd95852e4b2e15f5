// Copies live values into a desired spec for paths under `ignore_changes`. A secret that the service does not return cannot be
// copied: it comes from the manifest or is reported as missing (ADR-0018).

import { groupBy } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import { formatPath, isValueObject, memberOf, parsePath, type Value, type ValueObject } from '../core/value.ts';
import type { Field, MapField, ObjectField } from '../catalog/field.ts';
import { fieldOf } from '../catalog/walk.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';
import { canonicalField, canonicalKey } from './canonical.ts';

/** The parts of a live object that are compared. */
export type LiveSide = Pick<LiveResource, 'spec' | 'writeOnly'>;

const ignoredBy = perObject((ignore: readonly string[]) => new Set(ignore.map((one) => one.toLowerCase())));

/** True for a path that is ignored, or is below an ignored one. */
export function isIgnored(path: string, ignore: readonly string[]): boolean {
  const ignored = ignoredBy(ignore);
  const plain = parsePath(path).join('.').toLowerCase();
  for (let end = plain.length; end > 0; end = plain.lastIndexOf('.', end - 1))
    if (ignored.has(plain.slice(0, end))) return true;
  return false;
}

/**
 * The spec that an object, or its replacement, has after the step: ignored paths keep their live value, even in the user's
 * metadata.
 */
export function effectiveSpec(
  { fields }: Kind,
  desired: ValueObject,
  live: LiveSide,
  ignore: readonly string[],
): ValueObject {
  if (ignore.length === 0) return desired;
  const names = new Set(ignore.map((path) => path.split('.')[0] ?? ''));
  const kept = Object.entries(desired).filter(([name]) => !names.has(name));
  const carried = [...names].flatMap((name): [string, Value][] => {
    const sought: CarryInput = { name, wanted: desired[name], live: live.spec[name], unreadable: live.writeOnly };
    const value = carriedOver(fields[name], sought, ignore);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([...kept, ...carried]);
}

export interface CarryInput {
  readonly name: string;
  readonly wanted: Value | undefined;
  readonly live: Value | undefined;
  /** Dotted paths of secrets that exist but that the service does not return. */
  readonly unreadable: readonly string[];
}

/** The value of one field, with the live values of ignored paths. */
export function carriedOver(
  field: Field | undefined,
  { name, wanted, live, unreadable }: CarryInput,
  ignore: readonly string[],
): Value | undefined {
  if (ignore.length === 0) return wanted ?? undefined;
  if (ignore.includes(name)) return withUnreadable(live, wanted, unreadBelow(unreadable, name));
  const below = ignore.filter((path) => path.startsWith(`${name}.`)).map((path) => path.split('.').slice(1));
  const carrying = { field, value: wanted ?? undefined, live, unreadable: unreadBelow(unreadable, name) };
  return below.length === 0 ? carrying.value : carryOver(carrying, below);
}

/** The paths below one name, relative to it; map keys may differ in case. */
function unreadBelow(unread: readonly string[], name: string): string[] {
  const wanted = formatPath([name]).toLowerCase();
  return unread.flatMap((path) => {
    const at = path.toLowerCase();
    return at === wanted ? [''] : at.startsWith(`${wanted}.`) ? [path.slice(wanted.length + 1)] : [];
  });
}

type Paths = readonly (readonly string[])[];

interface Carrying {
  readonly field: Field | undefined;
  readonly value: Value | undefined;
  readonly live: Value | undefined;
  readonly unreadable: readonly string[];
}

/**
 * Copies the live values at the paths into the desired value. An absent desired module stays absent, and so does anything the
 * manifest replaced by another choice. If the live parent does not exist or has made another choice, the manifest's value
 * counts, as in a creation. Unreadable secrets are taken from the manifest if it has them. Handles all paths at once, because
 * one map may have thousands.
 */
function carryOver(carrying: Carrying, paths: Paths): Value | undefined {
  const { field, value, live, unreadable } = carrying;
  if (paths.some((path) => path.length === 0)) return withUnreadable(live, value, unreadable);
  if (field?.type === 'map') return carryKeys(field, carrying, paths);
  if (!isValueObject(value) || (!isValueObject(live) && unreadable.length === 0)) return value;
  return carryMembers(field?.type === 'object' ? field : undefined, { value, live, unreadable }, paths);
}

function carryMembers(
  object: ObjectField | undefined,
  { value, live, unreadable }: Omit<Carrying, 'field'> & { readonly value: ValueObject },
  paths: Paths,
): ValueObject {
  const members = new Map(Object.entries(value));
  for (const [head, below] of groupBy(paths, ([first = '']) => first)) {
    const own = memberOf(value, head);
    if (object?.exactlyOne && (own === undefined || !hasChoice(live, unreadable, head))) continue;
    const sub = object && fieldOf(object.fields, head);
    const inner = { field: sub, value: own, live: memberOf(live, head), unreadable: unreadBelow(unreadable, head) };
    const rests = below.map(([, ...rest]) => rest);
    const carried = carryOver(inner, rests);
    members.delete(head);
    if (carried !== undefined) members.set(head, carried);
  }
  return Object.fromEntries(members);
}

/** The map with the live values of some keys, if there is a live map; keys may contain dots. */
function carryKeys(field: MapField, { value, live, unreadable }: Carrying, paths: Paths): Value | undefined {
  const found = canonicalField(field, live);
  if (!isValueObject(found) || !(value === undefined || isValueObject(value))) return value;
  const unread = new Set(unreadable.map((path) => path.toLowerCase().split('.')[0]));
  const names = paths.map((path) => path.join('.')).filter((name) => !unread.has(formatPath([name]).toLowerCase()));
  const keys = new Set(names.map((name) => canonicalKey(field, name)));
  const others = Object.entries(value ?? {}).filter(([one]) => !keys.has(canonicalKey(field, one)));
  const kept = [...keys].flatMap((key): [string, Value][] =>
    Object.hasOwn(found, key) ? [[key, found[key] ?? null]] : [],
  );
  return value === undefined && kept.length === 0 ? undefined : Object.fromEntries([...others, ...kept]);
}

/** True when the live object has made this choice, even if none of it is readable. */
function hasChoice(live: Value | undefined, unread: readonly string[], name: string): boolean {
  const chosen = memberOf(live, name) ?? undefined;
  return chosen !== undefined || unreadBelow(unread, name).length > 0;
}

/**
 * The live value with its unreadable secrets taken from the desired value, or left out. The mask in their place, such as
 * asterisks, is never copied.
 */
export function withUnreadable(
  live: Value | undefined,
  wanted: Value | undefined,
  unread: readonly string[],
): Value | undefined {
  if (unread.includes('')) return wanted;
  if (!isValueObject(live) || unread.length === 0) return live;
  const hidden = unread
    .flatMap((path) => parsePath(path).slice(0, 1))
    .filter((name) => memberNear(live, name) === undefined);
  const names = new Set([...Object.keys(live), ...hidden]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, Value][] => {
      const below = unreadBelow(unread, name);
      const own = memberOf(live, name);
      const made = below.length === 0 ? own : withUnreadable(own, memberNear(wanted, name), below);
      return made === undefined ? [] : [[name, made]];
    }),
  );
}

/** The member with this name, ignoring case as in maps. */
function memberNear(value: Value | undefined, name: string): Value | undefined {
  if (!isValueObject(value)) return undefined;
  const key = Object.hasOwn(value, name)
    ? name
    : Object.keys(value).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : value[key];
}

/** The value at a path in a field, ignoring the case of map keys. */
export function valueNear(value: Value | undefined, path: string): Value | undefined {
  return parsePath(path)
    .slice(1)
    .reduce(memberNear, value ?? undefined);
}
