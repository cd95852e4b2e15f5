// Copies live values into a desired spec for paths under `ignore_changes`. A catalogued secret is always the manifest's
// (ADR-0009).

import { groupBy } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import { isValueObject, memberOf, parsePath, type Value, type ValueObject } from '../core/value.ts';
import type { Field, MapField } from '../catalog/field.ts';
import { fieldOf } from '../catalog/walk.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';
import { canonicalField, canonicalKey } from './canonical.ts';

/** The parts of a live object that are compared. */
export type LiveSide = Pick<LiveResource, 'spec' | 'writeOnly'>;

const ignoredBy = perObject((ignore: readonly string[]) => new Set(ignore.map((one) => one.toLowerCase())));

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
    const value = carriedOver(fields[name], { name, wanted: desired[name], live: live.spec[name] }, ignore);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([...kept, ...carried]);
}

export interface CarryInput {
  readonly name: string;
  readonly wanted: Value | undefined;
  readonly live: Value | undefined;
  /** Copies secrets as well: for a comparison with what was applied. */
  readonly withSecrets?: true;
}

/** The value of one field, with the live values of ignored paths. */
export function carriedOver(
  field: Field | undefined,
  { name, wanted, live, withSecrets }: CarryInput,
  ignore: readonly string[],
): Value | undefined {
  if (ignore.length === 0) return wanted ?? undefined;
  const carrying: Carrying = { field, value: wanted ?? undefined, live, withSecrets };
  if (ignore.includes(name)) return carryOver(carrying, [[]]);
  const below = ignore.filter((path) => path.startsWith(`${name}.`)).map((path) => path.split('.').slice(1));
  return below.length === 0 ? carrying.value : carryOver(carrying, below);
}

type Paths = readonly (readonly string[])[];

interface Carrying {
  readonly field: Field | undefined;
  readonly value: Value | undefined;
  readonly live: Value | undefined;
  readonly withSecrets: true | undefined;
}

/**
 * Copies the live values at the paths into the desired value. An absent desired module stays absent, and so does anything the
 * manifest replaced by another choice. If the live parent does not exist or has made another choice, the manifest's value
 * counts, as in a creation. Handles all paths at once, because one map may have thousands.
 */
function carryOver(carrying: Carrying, paths: Paths): Value | undefined {
  const { field, value, live, withSecrets } = carrying;
  if (paths.some((path) => path.length === 0)) return withSecrets ? live : withOwnSecrets(field, live, value);
  if (field?.type === 'map') return carryKeys(field, carrying, paths);
  if (!isValueObject(value) || !isValueObject(live)) return value;
  return carryMembers(carrying, value, paths);
}

function carryMembers({ field, live, withSecrets }: Carrying, value: ValueObject, paths: Paths): ValueObject {
  const object = field?.type === 'object' ? field : undefined;
  const members = new Map(Object.entries(value));
  for (const [head, below] of groupBy(paths, ([first = '']) => first)) {
    const [own, found] = [memberOf(value, head), memberOf(live, head)];
    if (object?.exactlyOne && (own === undefined || (found ?? undefined) === undefined)) continue;
    const inner = { field: object && fieldOf(object.fields, head), value: own, live: found, withSecrets };
    const rests = below.map(([, ...rest]) => rest);
    const carried = carryOver(inner, rests);
    members.delete(head);
    if (carried !== undefined) members.set(head, carried);
  }
  return Object.fromEntries(members);
}

/** The map with the live values of some keys, if there is a live map; keys may contain dots. */
function carryKeys(field: MapField, { value, live }: Carrying, paths: Paths): Value | undefined {
  const found = canonicalField(field, live);
  if (!isValueObject(found) || !(value === undefined || isValueObject(value))) return value;
  const keys = new Set(paths.map((path) => canonicalKey(field, path.join('.'))));
  const others = Object.entries(value ?? {}).filter(([one]) => !keys.has(canonicalKey(field, one)));
  const kept = [...keys].flatMap((key): [string, Value][] =>
    Object.hasOwn(found, key) ? [[key, found[key] ?? null]] : [],
  );
  return value === undefined && kept.length === 0 ? undefined : Object.fromEntries([...others, ...kept]);
}

/** The live value with the manifest's secrets in the fields that the catalogue calls secret. */
function withOwnSecrets(
  field: Field | undefined,
  live: Value | undefined,
  wanted: Value | undefined,
): Value | undefined {
  if (field?.sensitive) return wanted;
  if (field?.type !== 'object' || !isValueObject(live)) return live;
  const secrets = Object.keys(field.fields).filter((name) => field.fields[name]?.sensitive);
  return Object.fromEntries(
    [...new Set([...Object.keys(live), ...secrets])].flatMap((name): [string, Value][] => {
      const value = withOwnSecrets(fieldOf(field.fields, name), memberOf(live, name), memberOf(wanted, name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
