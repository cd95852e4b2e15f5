// Rules about more than one value: cross-field checks, uniqueness, references, owners (§2, §7).
// Which fields they concern follows from the catalogue's traits.

import type { JsonObject } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { owner } from '../catalog/fields/common.ts';
import type { Fields, StringField } from '../catalog/field.ts';
import type { Kind, BrokenRule } from '../catalog/kind.ts';
import { brokenRules } from '../catalog/kind.ts';
import { kindByIdPrefix, kindByName } from '../catalog/lookup.ts';
import { referenceKey, references, uniqueFields, uniqueValues } from './keys.ts';
import { invalid, PROBLEM, Refusal } from './problem.ts';
import type { Store, Stored } from './state/store.ts';

/** The broken cross-field rules of a whole spec. */
export function violations(kind: Kind, spec: JsonObject): readonly BrokenRule[] {
  return brokenRules(kind, withoutEmptySecrets(kind.fields, spec));
}

/** An empty secret counts as missing where one is required (ADR-0035). */
function withoutEmptySecrets(fields: Fields, spec: JsonObject): JsonObject {
  const kept = Object.entries(spec).filter(([name, value]) => !(value === '' && fields[name]?.sensitive === true));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const field = fields[name];
      return [name, field?.type === 'object' && isObject(value) ? withoutEmptySecrets(field.fields, value) : value];
    }),
  );
}

/** Throws unless the object as a whole may be stored. `before` is missing at creation. */
export function checkWhole(store: Store, kind: Kind, next: Stored, before: Stored | undefined): void {
  const [first] = violations(kind, next.spec);
  if (first) throw invalid(PROBLEM.rule, `${first.path}: ${first.message}`);
  if (before) checkFixedChoices(kind.fields, before.spec, next.spec);
  checkUnique(store, kind, next);
  for (const { id, field } of references(kind.fields, next.spec)) checkReference(store, field, id, next.id);
}

/** Throws when a caller who is not an admin names another owner (§5). */
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

/** Throws when an object outside `ids` refers to one of them, because it cannot be deleted then (ADR-0007). */
export function checkUnused(store: Store, ids: readonly string[]): void {
  const gone = new Set(ids);
  const other = oldestHolder(store, ids.map(referenceKey), gone);
  if (other === undefined) return;
  const used = references(kindByName(other.kind).fields, other.spec).find(({ id }) => gone.has(id));
  throw invalid(PROBLEM.inUse, `${used?.id ?? ''} is in use by ${other.id}`);
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
  for (const name of uniqueFields(kind)) {
    const mine = new Set(uniqueValues(kind, name, next).map(({ key }) => key));
    if (mine.size < uniqueValues(kind, name, next).length)
      throw invalid(PROBLEM.notUnique, `${name} names something twice`);
    const other = oldestHolder(store, [...mine], new Set([next.id]));
    if (other === undefined) continue;
    const taken = uniqueValues(kindByName(other.kind), name, other).find(({ key }) => mine.has(key));
    throw invalid(PROBLEM.notUnique, `${name}: ${taken?.text ?? ''} belongs to ${other.id}`);
  }
}

/** The oldest object with one of the keys that is not one of `others`. */
function oldestHolder(store: Store, keys: readonly string[], others: ReadonlySet<string>): Stored | undefined {
  const [oldest] = keys
    .flatMap((key) => store.holders(key).filter(({ id }) => !others.has(id)))
    .sort((a, b) => a.number - b.number);
  return oldest;
}

function checkReference(store: Store, field: StringField, id: string, self: string): void {
  if (id === self) throw invalid(PROBLEM.unknownReference, `${id} refers to itself`);
  const kind = kindByIdPrefix(id);
  if (kind === undefined) return;
  if (!field.ref?.kinds.includes(kind.name) || store.get(id)?.kind !== kind.name) {
    throw new Refusal(400, PROBLEM.unknownReference, `no object ${id} can be used here`);
  }
}
