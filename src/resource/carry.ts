// Takes live values over into a desired spec where the manifest ignores changes. A secret that the service does not show
// cannot be taken over: it comes from the manifest, or is missed (ADR-0018).

import type { Value, ValueObject } from '../core/value.ts';
import { formatPath, isValueObject, memberOf, parsePath } from '../core/value.ts';
import type { Field, MapField } from '../catalog/field.ts';
import { fieldOf } from '../catalog/walk.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';
import { canonicalField, canonicalKey } from './canonical.ts';

/** What a live object is as far as it is compared. */
export type LiveSide = Pick<LiveResource, 'spec' | 'writeOnly'>;

/** True for a path that is ignored, or lies below one that is. */
export function isIgnored(path: string, ignore: readonly string[]): boolean {
  const plain = parsePath(path).join('.').toLowerCase();
  return ignore.map((one) => one.toLowerCase()).some((one) => plain === one || plain.startsWith(`${one}.`));
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
  return ignore.reduce<Value | undefined>((value, path) => {
    if (!path.startsWith(`${name}.`)) return value;
    return carryOver({ field, value, live, unreadable: unreadBelow(unreadable, name) }, path.split('.').slice(1));
  }, wanted ?? undefined);
}

/** The paths below one name, relative to it; names in maps may be in another case. */
function unreadBelow(unread: readonly string[], name: string): string[] {
  const wanted = formatPath([name]).toLowerCase();
  return unread.flatMap((path) => {
    const at = path.toLowerCase();
    return at === wanted ? [''] : at.startsWith(`${wanted}.`) ? [path.slice(wanted.length + 1)] : [];
  });
}

interface Carrying {
  readonly field: Field | undefined;
  readonly value: Value | undefined;
  readonly live: Value | undefined;
  readonly unreadable: readonly string[];
}

/**
 * Takes the live value at the path into the desired value; a desired module that is absent stays absent, and so does what
 * the manifest has chosen something else instead of. Where the object that would hold the live value does not exist, or
 * has another choice, the manifest's value counts, as in a creation. What cannot be read is taken from the manifest, too,
 * if it has it.
 */
function carryOver({ field, value, live, unreadable }: Carrying, path: readonly string[]): Value | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return withUnreadable(live, value, unreadable);
  if (field?.type === 'map') return carryKey(field, { value, live, unreadable }, path.join('.'));
  const object = field?.type === 'object' ? field : undefined;
  if (!isValueObject(value) || (!isValueObject(live) && unreadable.length === 0)) return value;
  if (object?.exactlyOne && (memberOf(value, head) === undefined || !hasChoice(live, unreadable, head))) return value;
  const below: Carrying = {
    field: object && fieldOf(object.fields, head),
    value: memberOf(value, head),
    live: memberOf(live, head),
    unreadable: unreadBelow(unreadable, head),
  };
  const inner = carryOver(below, rest);
  const { [head]: _, ...others } = value;
  return inner === undefined ? others : { ...others, [head]: inner };
}

/** The map with one key as it is live, where there is a live map; a name may have dots in it. */
function carryKey(
  field: MapField,
  { value, live, unreadable }: Omit<Carrying, 'field'>,
  name: string,
): Value | undefined {
  if (unreadBelow(unreadable, name).length > 0) return value;
  const found = canonicalField(field, live);
  if (!isValueObject(found) || !(value === undefined || isValueObject(value))) return value;
  const key = canonicalKey(field, name);
  const others = Object.entries(value ?? {}).filter(([one]) => canonicalKey(field, one) !== key);
  const kept = Object.entries(found).filter(([one]) => one === key);
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
