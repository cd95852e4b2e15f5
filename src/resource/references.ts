// Which other objects a spec refers to: by address if desired, by id if live.

import { groupBy } from '../core/group.ts';
import { referencesIn, type Value, type ValueObject } from '../core/value.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { normalText } from '../catalog/normal-form.ts';
import { eachFieldLeaf, fieldEntries, perTable } from '../catalog/walk.ts';
import type { LiveResource } from './snapshot.ts';

/** Addresses that a desired spec refers to, in order of appearance, each once. */
export function addressesIn(spec: Value): string[] {
  return [...new Set(referencesIn(spec).map(({ address }) => address))];
}

export function idsIn(fields: Fields, spec: ValueObject): string[] {
  return referring(fields).flatMap(([name, field]) => idsInField(field, spec[name]));
}

const referring = perTable((fields) => fieldEntries(fields).filter(([, field]) => mayRefer(field)));

/** True for a field that may hold ids of other objects. */
function mayRefer(field: Field): boolean {
  if (field.type === 'string') return field.ref !== undefined;
  if (field.type === 'list' || field.type === 'map') return mayRefer(field.items);
  return field.type === 'object' && Object.values(field.fields).some(mayRefer);
}

export function idsInField(field: Field, value: Value | undefined): string[] {
  const found: string[] = [];
  eachFieldLeaf(value ?? null, field, (leaf, { field: own }) => {
    if (own?.type === 'string' && own.ref !== undefined && typeof leaf === 'string') found.push(leaf);
  });
  return found;
}

/** Values of an object that others may serve, in the form that `servedText` compares. */
export function servedValues({ fields }: Kind, { computed }: LiveResource): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = computed[name];
    if (field.serves !== true || field.type !== 'string' || typeof value !== 'string') return [];
    return [servedText(normalText(field, value))];
  });
}

/** Ignores case: it is safer to refuse too much. */
export function servedText(text: string): string {
  return text.toLowerCase();
}

export function attributesByAddress(manifest: {
  readonly resources: readonly { readonly spec: Value }[];
  readonly outputs: ReadonlyMap<string, Value>;
}): ReadonlyMap<string, readonly string[]> {
  const values = [...manifest.resources.map(({ spec }) => spec), ...manifest.outputs.values()];
  const found = groupBy(values.flatMap(referencesIn), ({ address }) => address);
  return new Map([...found].map(([address, all]) => [address, [...new Set(all.map(({ attr }) => attr))]]));
}
