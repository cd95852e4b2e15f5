// Takes live values over into a desired spec where the manifest ignores changes. A secret that the service does not show
// cannot be taken over: it comes from the manifest, or is missed (ADR-0018).

import { groupBy } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { formatPath, isValueObject, memberOf, parsePath } from '../core/value.ts';
import type { Field, MapField, ObjectField } from '../catalog/field.ts';
import { fieldOf } from '../catalog/walk.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';
import { canonicalField, canonicalKey } from './canonical.ts';

/** What a live object is as far as it is compared. */
export type LiveSide = Pick<LiveResource, 'spec' | 'writeOnly'>;

const ignoredBy = perObject((ignore: readonly string[]) => new Set(ignore.map((one) => one.toLowerCase())));

/** True for a path that is ignored, or lies below one that is. */
export function isIgnored(path: string, ignore: readonly string[]): boolean {
  const ignored = ignoredBy(ignore);
  const plain = parsePath(path).join('.').toLowerCase();
  for (let end = plain.length; end > 0; end = plain.lastIndexOf('.', end - 1))
    if (ignored.has(plain.slice(0, end))) return true;
  return false;
}

/**
 * The spec of an object after an update, or of the one that takes its place: ignored paths have the live value, the user's
 * metadata, too.
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
  /** Dotted paths of secrets that the live value has and does not show. */
  readonly unreadable: readonly string[];
}

/** The value of one field with ignored paths as they are live. */
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

/** The paths below one name, relative to it; names in maps may be in another case. */
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
 * Takes the live values at the paths into the desired value; a desired module that is absent stays absent, and so does
 * what the manifest has chosen something else instead of. Where the object that would hold a live value does not exist, or
 * has another choice, the manifest's value counts, as in a creation. What cannot be read is taken from the manifest, too,
 * if it has it. All paths are taken at once: there may be thousands in one map.
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

/** The map with some keys as they are live, where there is a live map; a name may have dots in it. */
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

/** True when the live object has made this choice, even if nothing of it can be read. */
function hasChoice(live: Value | undefined, unread: readonly string[], name: string): boolean {
  const chosen = memberOf(live, name) ?? undefined;
  return chosen !== undefined || unreadBelow(unread, name).length > 0;
}

/**
 * The live value with what cannot be read as it is wanted, or without it. What stands in its place may be there, such as
 * asterisks: it is never taken over.
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

/** The value of that name, or of the same name in another case, as in maps. */
function memberNear(value: Value | undefined, name: string): Value | undefined {
  if (!isValueObject(value)) return undefined;
  const key = Object.hasOwn(value, name)
    ? name
    : Object.keys(value).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : value[key];
}

/** What is at the path in a field's value, however names in maps are written. */
export function valueNear(value: Value | undefined, path: string): Value | undefined {
  return parsePath(path)
    .slice(1)
    .reduce(memberNear, value ?? undefined);
}
