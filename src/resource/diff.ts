// Compares a desired spec with a live object, field by field, by the traits of the catalogue.
// Reports differences only; their cause and consequences are decided elsewhere.

import { sameEntries, sameJson } from '../core/equal.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { formatPath, revealed, holdsUnknown, isValueObject, mapLeaves, memberOf, parsePath } from '../core/value.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { Field, ObjectField } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { normalText } from '../catalog/normal-form.ts';
import { eachFieldLeaf, fieldEntries, perTable } from '../catalog/walk.ts';
import { canonicalField, isSwitchedOff } from './canonical.ts';
import { withZeros } from './zeros.ts';
import { carriedOver, isIgnored, type CarryInput, type LiveSide } from './carry.ts';

/** One difference below a top-level field; values are canonical, with texts as they are written (ADR-0043). */
interface Difference {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

interface IgnoredSecret {
  readonly path: string;
  /** False when the service does not return it, so that only digests can show a change. */
  readonly isShown: boolean;
}

/** What differs in one top-level field. */
export interface FieldDiff {
  readonly name: string;
  readonly field: Field;
  readonly differences: readonly Difference[];
  /** Canonical values of both sides, with ignored paths copied from live. */
  readonly desired: Value | undefined;
  readonly live: Value | undefined;
  /** The values that they are made from; `valueToSend`, `valueWritten` and `liveAsApplied` derive others from them. */
  readonly sides: FieldSides;
  /** Paths of secrets that the service does not return, so that only digests can show a change. */
  readonly writeOnly: readonly string[];
  /** Catalogued secrets under `ignore_changes` that differ, or may. They go along when the field is sent, and are no difference (ADR-0009). */
  readonly ignoredSecrets: readonly IgnoredSecret[];
  /** True when the live value has secrets that the service does not return. */
  readonly isHidden: boolean;
  /** True when an update cannot make this change. */
  readonly replaces: boolean;
  /** True when the live value is what the service showed in place of the value that was sent last. */
  readonly isAsShown?: true;
  /** True when a run was cut off in its last write, so that it did not see what the service made of the value. */
  readonly isUnread?: true;
}

/** One field of the manifest and of a live object, as they are given. */
interface FieldSides extends CarryInput {
  /** Paths under `ignore_changes`. */
  readonly ignore: readonly string[];
}

/** The desired value to send: as written, with ignored paths copied from live. */
export function valueToSend({ field, sides }: FieldDiff): Value | undefined {
  return carriedOver(field, sides, sides.ignore);
}

/** The desired value as written in the manifest; digests are made of it. */
export function valueWritten({ sides }: FieldDiff): Value | undefined {
  return sides.wanted ?? undefined;
}

/** The live value for comparison with what was applied: ignored paths, and secrets that are not returned, as in the manifest. */
export function liveAsApplied({ field, name, live, sides, writeOnly }: FieldDiff): Value | undefined {
  const filled = [...sides.ignore, ...writeOnly.map((path) => parsePath(path).join('.'))];
  if (filled.length === 0) return live;
  const swapped: CarryInput = { name, wanted: sides.live, live: sides.wanted, withSecrets: true };
  return canonicalField(field, carriedOver(field, swapped, filled));
}

/** Every top-level field that differs, or that holds a write-only secret. */
export function diffResource(kind: Kind, desired: ValueObject, live: LiveSide, ignore: readonly string[]): FieldDiff[] {
  return compareFields(kind, desired, live, ignore).filter(
    (diff) => diff.differences.length > 0 || diff.writeOnly.length > 0,
  );
}

/** Every top-level field that is compared, with or without a difference. */
export function compareFields(
  kind: Kind,
  desired: ValueObject,
  live: LiveSide,
  ignore: readonly string[],
): FieldDiff[] {
  return compareAmong(comparedFields(kind.fields), desired, live, ignore);
}

const comparedFields = perTable((fields) =>
  fieldEntries(fields).filter(([name, field]) => field.write !== 'never' && name !== METADATA),
);

function compareAmong(
  entries: readonly (readonly [string, Field])[],
  desired: ValueObject,
  { spec, writeOnly: unreadable }: LiveSide,
  ignore: readonly string[],
): FieldDiff[] {
  const compared: FieldDiff[] = [];
  for (const [name, field] of entries) {
    if (ignore.includes(name)) continue;
    compared.push(diffField(field, { name, wanted: desired[name], live: spec[name], ignore }, unreadable));
  }
  return compared;
}

/** `unreadable`: paths of secrets that exist but that the service does not return. */
function diffField(field: Field, sides: FieldSides, unreadable: readonly string[]): FieldDiff {
  const { name, ignore } = sides;
  const send = carriedOver(field, sides, ignore);
  const before = canonicalField(field, withZeros(field, sides.live, send));
  const after = canonicalField(field, send);
  const findings: Findings = { found: [], writeOnly: [], ignoredSecrets: [], unreadable, ignore };
  if (!isOffAnyway({ field, desired: after, live: before })) compare(field, { before, after }, name, findings);
  return {
    name,
    field,
    differences: asWritten(findings.found, field, [sides.live, send]),
    desired: after,
    live: before,
    sides,
    writeOnly: findings.writeOnly,
    ignoredSecrets: findings.ignoredSecrets,
    isHidden: unreadable.some((path) => path === name || path.startsWith(`${name}.`)),
    replaces: replaces(field, { before, after }, findings.found),
  };
}

/** The differences with texts in the spelling of the values, the later ones first. */
function asWritten(
  differences: readonly Difference[],
  field: Field,
  values: readonly (Value | undefined)[],
): readonly Difference[] {
  if (differences.length === 0) return differences;
  const spellings = new Map<string, string>();
  for (const value of values)
    eachFieldLeaf(value ?? null, field, (leaf, { field: own }) => {
      if (own?.type === 'string' && typeof leaf === 'string') spellings.set(normalText(own, leaf), leaf);
    });
  const spelled = (leaf: Value) => (typeof leaf === 'string' ? (spellings.get(leaf) ?? leaf) : leaf);
  const written = (value: Value | undefined) => (value === undefined ? value : mapLeaves(value, spelled));
  return differences.map(({ path, before, after }) => ({ path, before: written(before), after: written(after) }));
}

/** True for a module that is switched off where the manifest has none: that is no difference (ADR-0005). */
export function isOffAnyway({ field, desired, live }: Pick<FieldDiff, 'field' | 'desired' | 'live'>): boolean {
  return field.module === true && desired === undefined && isSwitchedOff(live);
}

type Sides = Pick<Difference, 'before' | 'after'>;

interface Findings {
  readonly found: Difference[];
  readonly writeOnly: string[];
  /** Paths of secrets that exist but that the service does not return. */
  readonly unreadable: readonly string[];
  readonly ignore: readonly string[];
  readonly ignoredSecrets: IgnoredSecret[];
}

function compare(field: Field, { before, after }: Sides, path: string, into: Findings): void {
  if (field.sensitive && isIgnored(path, into.ignore)) {
    noteIgnoredSecret({ before, after }, path, into);
    return;
  }
  if (into.unreadable.includes(path)) {
    into.writeOnly.push(path);
    return;
  }
  const mayBeMasked = field.sensitive && field.read === 'masked';
  if (after === undefined && (before === undefined ? !mayBeMasked : field.default === 'service')) return;
  if (field.sensitive) compareSecret({ before, after }, path, into);
  else if (field.type === 'object' && isValueObject(before) && isValueObject(after))
    compareObject(field, before, after, { path, into });
  else compareShown({ before, after }, path, into, hasFreeKeys(field));
}

/** Compares visible values that have no fields of their own or are not in the catalogue. */
function compareShown(sides: Sides, path: string, into: Findings, isFree = true): void {
  const { before, after } = sides;
  if ((after !== undefined && holdsUnknown(after)) || !equal(before, after, isFree))
    into.found.push({ path, before, after });
}

function compareSecret({ before, after }: Sides, path: string, into: Findings): void {
  if (before === undefined) into.writeOnly.push(path);
  else if (!equal(before, after)) into.found.push({ path, before, after });
}

function noteIgnoredSecret({ before, after }: Sides, path: string, into: Findings): void {
  const isHidden = into.unreadable.includes(path) || (before === undefined && after !== undefined);
  if (isHidden || !equal(before, after)) into.ignoredSecrets.push({ path, isShown: !isHidden });
}

interface DiffCursor {
  readonly path: string;
  readonly into: Findings;
}

function compareObject(field: ObjectField, before: ValueObject, after: ValueObject, { path, into }: DiffCursor): void {
  for (const [name, sub] of fieldEntries(field.fields)) {
    if (sub.write !== 'never') compare(sub, { before: before[name], after: after[name] }, `${path}.${name}`, into);
  }
  if (!field.open) return;
  const unknown = new Set(
    [...Object.keys(before), ...Object.keys(after)].filter((name) => !Object.hasOwn(field.fields, name)),
  );
  for (const name of [...unknown].sort()) {
    // The service may fill in fields that are not in the catalogue, so only those in the manifest count.
    const below = `${path}.${formatPath([name])}`;
    if (memberOf(after, name) !== undefined)
      compareShown({ before: memberOf(before, name), after: memberOf(after, name) }, below, into);
  }
}

/** True for values whose keys a manifest or the service may choose. */
function hasFreeKeys(field: Field): boolean {
  if (field.type === 'list') return hasFreeKeys(field.items);
  return field.type === 'map' || field.type === 'object';
}

/** Deep equality of canonical values; secrets compare by content with plain text. */
export function equal(a: Value | undefined, b: Value | undefined, isFree = true): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return isFree ? sameEntries(revealed(a), revealed(b)) : sameJson(revealed(a), revealed(b));
}

const fixedFields = perTable((fields) =>
  comparedFields(fields).filter(
    ([, field]) => field.write === 'create' || (field.type === 'object' && field.fixedChoice === true),
  ),
);

/** True for a difference that an update cannot make; all others are skipped. */
export function differsForGood(
  { fields }: Kind,
  desired: () => ValueObject,
  live: LiveSide,
  ignore: readonly string[],
): boolean {
  const fixed = fixedFields(fields);
  return fixed.length > 0 && compareAmong(fixed, desired(), live, ignore).some((diff) => diff.replaces);
}

/** Create-only fields, and the choice that a creation fixes, cannot be updated (§4, ADR-0008). */
function replaces(field: Field, { before, after }: Sides, found: readonly Difference[]): boolean {
  if (found.length === 0) return false;
  if (field.write === 'create') return true;
  if (field.type !== 'object' || !field.fixedChoice || !isValueObject(before) || !isValueObject(after)) return false;
  return Object.keys(field.fields).some((name) => (before[name] === undefined) !== (after[name] === undefined));
}
