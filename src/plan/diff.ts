// Compares one desired spec with one live object, field by field, by the traits of the catalogue.
// Says what differs; who caused it and what follows from it are decided elsewhere.

import deepEqual from 'fast-deep-equal';
import { isList } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import type { Value, ValueObject } from '../base/value.ts';
import { isValueObject } from '../base/value.ts';
import { METADATA } from '../catalog/common.ts';
import type { Field, ObjectField } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { canonicalField, isSwitchedOff } from './canonical.ts';
import { holdsUnknown } from './digests.ts';

/** One difference below a top-level field; values are canonical. */
export interface Difference {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  readonly note?: string;
}

/** What differs in one top-level field. */
export interface FieldDiff {
  readonly name: string;
  readonly field: Field;
  readonly differences: readonly Difference[];
  /** Canonical values of both sides, after ignored paths were carried over. */
  readonly desired: Value | undefined;
  readonly live: Value | undefined;
  /** The live value with ignored paths as the manifest gives them, to be compared with what was applied. */
  readonly liveUnignored: Value | undefined;
  /** The desired value as the manifest gives it, which is what digests are made of. */
  readonly given: Value | undefined;
  /** The desired value as it would be sent: as written, ignored paths carried over from live. */
  readonly send: Value | undefined;
  /** Paths of secrets that the service does not show, so that only digests can tell. */
  readonly masked: readonly string[];
  /** True when the difference cannot be made by an update. */
  readonly replaces: boolean;
  /** A module that is switched off and has to let go of what it still names; the manifest is the cause. */
  readonly isLingering?: true;
}

/** Every top-level field that differs, or that holds a masked secret. */
export function diffResource(
  kind: Kind,
  desired: ValueObject,
  live: ValueObject,
  ignore: readonly string[],
): FieldDiff[] {
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    if (field.write === 'never' || name === METADATA || ignore.includes(name)) return [];
    const diff = diffField({ name, field }, desired[name], live[name], ignore);
    return diff.differences.length > 0 || diff.masked.length > 0 ? [diff] : [];
  });
}

/** The spec as it would be after an update: ignored paths have the live value. */
export function effectiveSpec(desired: ValueObject, live: ValueObject, ignore: readonly string[]): ValueObject {
  if (ignore.length === 0) return desired;
  const names = new Set(ignore.map((path) => path.split('.')[0] ?? ''));
  const kept = Object.entries(desired).filter(([name]) => !names.has(name));
  const carried = [...names].flatMap((name): [string, Value][] => {
    const value = carriedOver({ name, wanted: desired[name], live: live[name] }, ignore);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([...kept, ...carried]);
}

interface Sought {
  readonly name: string;
  readonly wanted: Value | undefined;
  readonly live: Value | undefined;
}

function carriedOver({ name, wanted, live }: Sought, ignore: readonly string[]): Value | undefined {
  if (ignore.includes(name)) return live;
  return ignore.reduce<Value | undefined>(
    (value, path) => (path.startsWith(`${name}.`) ? carryOver(value, live, path.split('.').slice(1)) : value),
    wanted ?? undefined,
  );
}

interface Named {
  readonly name: string;
  readonly field: Field;
}

function diffField(
  { name, field }: Named,
  wanted: Value | undefined,
  live: Value | undefined,
  ignore: readonly string[],
): FieldDiff {
  const send = carriedOver({ name, wanted, live }, ignore);
  const before = canonicalField(field, live);
  const after = canonicalField(field, send);
  const found: Difference[] = [];
  const masked: string[] = [];
  const offAnyway = field.module === true && after === undefined && isSwitchedOff(before);
  if (!offAnyway) compare(field, { before, after }, name, { found, masked });
  return {
    name,
    field,
    differences: found,
    given: wanted ?? undefined,
    desired: after,
    live: before,
    liveUnignored: canonicalField(field, carriedOver({ name, wanted: live, live: wanted }, ignore)),
    send,
    masked,
    replaces: replaces(field, before, after, found),
  };
}

/** Takes the live value at the path into the desired value; a desired module that is absent stays absent. */
function carryOver(value: Value | undefined, live: Value | undefined, path: readonly string[]): Value | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return live;
  if (!isValueObject(value)) return value;
  const inner = carryOver(value[head], isValueObject(live) ? live[head] : undefined, rest);
  const { [head]: _, ...others } = value;
  return inner === undefined ? others : { ...others, [head]: inner };
}

interface Sides {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

interface Findings {
  readonly found: Difference[];
  readonly masked: string[];
}

function compare(field: Field, { before, after }: Sides, path: string, into: Findings): void {
  const mayBeMasked = field.sensitive && field.read === 'masked';
  if (after === undefined && (before === undefined ? !mayBeMasked : field.default === 'service')) return;
  if (field.sensitive) compareSecret({ before, after }, path, into);
  else if (field.type === 'object' && isValueObject(before) && isValueObject(after))
    compareObject(field, before, after, { path, into });
  else if ((after !== undefined && holdsUnknown(after)) || !equal(before, after))
    into.found.push({ path, before, after });
}

function compareSecret({ before, after }: Sides, path: string, into: Findings): void {
  if (before === undefined) into.masked.push(path);
  else if (!equal(before, after)) into.found.push({ path, before, after });
}

interface Place {
  readonly path: string;
  readonly into: Findings;
}

function compareObject(field: ObjectField, before: ValueObject, after: ValueObject, { path, into }: Place): void {
  for (const [name, sub] of Object.entries(field.fields)) {
    if (sub.write !== 'never') compare(sub, { before: before[name], after: after[name] }, `${path}.${name}`, into);
  }
  if (!field.open) return;
  const unknown = new Set(
    [...Object.keys(before), ...Object.keys(after)].filter((name) => !Object.hasOwn(field.fields, name)),
  );
  for (const name of [...unknown].sort()) {
    // A field that the catalogue does not know may be filled in by the service; only what the manifest names counts.
    if (after[name] !== undefined && !equal(before[name], after[name])) {
      into.found.push({ path: `${path}.${name}`, before: before[name], after: after[name] });
    }
  }
}

/** Deep equality of canonical values; secrets compare by content. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof Secret || b instanceof Secret) return a instanceof Secret && b instanceof Secret && a.equals(b);
  if (a === undefined || b === undefined) return a === b;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (isValueObject(a) && isValueObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
  }
  return deepEqual(a, b);
}

/** Create-only fields, and the choice that a creation fixes, cannot be updated (§4, ADR-0008). */
function replaces(
  field: Field,
  before: Value | undefined,
  after: Value | undefined,
  found: readonly Difference[],
): boolean {
  if (found.length === 0) return false;
  if (field.write === 'create') return true;
  if (field.type !== 'object' || !field.fixedChoice || !isValueObject(before) || !isValueObject(after)) return false;
  return Object.keys(field.fields).some((name) => (before[name] === undefined) !== (after[name] === undefined));
}
