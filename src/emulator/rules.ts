// Rules that need more than one value: cross-field checks, uniqueness, references, owners (§2, §7).
// Which fields they concern is read from the catalogue's traits.

import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import { owner } from '../catalog/fields/common.ts';
import type { Field, Fields, StringField } from '../catalog/field.ts';
import type { Kind, BrokenRule } from '../catalog/kind.ts';
import { brokenRules } from '../catalog/kind.ts';
import { kindByIdPrefix, kindByName } from '../catalog/lookup.ts';
import { invalid, PROBLEM, Refusal } from './problem.ts';
import type { Store, Stored } from './state/store.ts';

/** The broken cross-field rules of a whole spec. */
export function violations(kind: Kind, spec: JsonObject): readonly BrokenRule[] {
  return brokenRules(kind, spec);
}

/** Throws unless the object as a whole may be stored. `before` is missing at creation. */
export function checkWhole(store: Store, kind: Kind, next: Stored, before: Stored | undefined): void {
  const [first] = violations(kind, next.spec);
  if (first) throw invalid(PROBLEM.rule, `${first.path}: ${first.message}`);
  if (before) checkFixedChoices(kind.fields, before.spec, next.spec);
  checkUnique(store, kind, next);
  for (const { id, field } of references(kind.fields, next.spec)) checkReference(store, field, id, next.id);
}

/** Throws when a caller who is no admin names another owner (§5). */
export function checkOwner(
  kind: Kind,
  spec: JsonObject,
  caller: { readonly owner: string; readonly admin: boolean },
): void {
  const given = ownerOf(kind, spec);
  if (given !== undefined && given !== caller.owner && !caller.admin) {
    throw invalid(PROBLEM.owner, 'only admins may set an owner other than themselves');
  }
}

/** The owner that a spec names. */
export function ownerOf(kind: Kind, spec: JsonObject): string | undefined {
  const name = Object.keys(kind.fields).find((key) => kind.fields[key]?.emulate === owner.emulate);
  const value = name === undefined ? undefined : spec[name];
  return typeof value === 'string' ? value : undefined;
}

/** Throws when an object outside `ids` refers to one of them: deletion is refused then (ADR-0007). */
export function checkUnused(store: Store, ids: readonly string[]): void {
  for (const other of store.all()) {
    if (ids.includes(other.id)) continue;
    const used = references(kindByName(other.kind).fields, other.spec).find(({ id }) => ids.includes(id));
    if (used) throw invalid(PROBLEM.inUse, `${used.id} is in use by ${other.id}`);
  }
}

function checkFixedChoices(fields: Fields, before: JsonObject, after: JsonObject): void {
  for (const [name, field] of Object.entries(fields)) {
    const [old, next] = [before[name], after[name]];
    if (field.type !== 'object' || !field.fixedChoice || !isObject(old) || !isObject(next)) continue;
    if (Object.keys(old).join() !== Object.keys(next).join()) {
      throw invalid(PROBLEM.fixedChoice, `${name} cannot become another kind of ${name}`);
    }
  }
}

function checkUnique(store: Store, kind: Kind, next: Stored): void {
  for (const [name, field] of Object.entries(kind.fields)) {
    if (field.unique === undefined) continue;
    const mine = uniqueTexts(field, next.spec[name]);
    if (new Set(mine).size < mine.length) throw invalid(PROBLEM.notUnique, `${name} names something twice`);
    for (const other of store.all()) {
      if (other.id === next.id || !competes(field.unique, name, next, other)) continue;
      if ((field.uniqueWith ?? []).some((beside) => next.spec[beside] !== other.spec[beside])) continue;
      const taken = uniqueTexts(field, other.spec[name]).find((text) => mine.includes(text));
      if (taken !== undefined) throw invalid(PROBLEM.notUnique, `${name}: ${taken} belongs to ${other.id}`);
    }
  }
}

/** Within the service a value is unique over all kinds that have such a field: one hostport, one edge. */
function competes(unique: 'service' | 'parent', name: string, next: Stored, other: Stored): boolean {
  if (unique === 'parent') return other.kind === next.kind && other.parentId === next.parentId;
  return kindByName(other.kind).fields[name]?.unique === unique;
}

function uniqueTexts(field: Field, value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const caseless =
    field.type === 'list'
      ? field.items.type === 'string' && field.items.caseless
      : field.type === 'string' && field.caseless;
  const texts = (isList(value) ? value : [value]).map((item) =>
    typeof item === 'string' ? item : JSON.stringify(item),
  );
  return caseless ? texts.map((text) => text.toLowerCase()) : texts;
}

function checkReference(store: Store, field: StringField, id: string, self: string): void {
  if (id === self) throw invalid(PROBLEM.unknownReference, `${id} refers to itself`);
  const kind = kindByIdPrefix(id);
  if (kind === undefined) return;
  if (!field.ref?.kinds.includes(kind.name) || store.get(id)?.kind !== kind.name) {
    throw new Refusal(400, PROBLEM.unknownReference, `no object ${id} can be used here`);
  }
}

interface Found {
  readonly id: string;
  readonly field: StringField;
}

function references(fields: Fields, spec: JsonObject): Found[] {
  return Object.entries(fields).flatMap(([name, field]) => referencesIn(field, spec[name]));
}

function referencesIn(field: Field, value: Json | undefined): Found[] {
  if (field.type === 'string') return field.ref && typeof value === 'string' ? [{ id: value, field }] : [];
  if (field.type === 'list') return isList(value) ? value.flatMap((item) => referencesIn(field.items, item)) : [];
  if (field.type === 'object') return isObject(value) ? references(field.fields, value) : [];
  return [];
}
