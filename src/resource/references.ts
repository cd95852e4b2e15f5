// Which other objects a spec refers to: by address while desired, by id while live.

import { isList } from '../core/json.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { eachLeaf, Expression, isValueObject } from '../core/value.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';

/** Addresses that a desired spec names, in order of appearance, each once. */
export function addressesIn(spec: Value): string[] {
  const found = new Set<string>();
  eachLeaf(spec, (leaf) => {
    if (leaf instanceof Expression) for (const { address } of leaf.references()) found.add(address);
  });
  return [...found];
}

/** Ids in fields that refer to other objects. */
export function idsIn(fields: Fields, spec: ValueObject): string[] {
  return Object.entries(fields).flatMap(([name, field]) => idsInField(field, spec[name]));
}

export function idsInField(field: Field, value: Value | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (field.type === 'list') return isList(value) ? value.flatMap((item) => idsInField(field.items, item)) : [];
  if (field.type === 'object') return isValueObject(value) ? idsIn(field.fields, value) : [];
  return field.type === 'string' && field.ref !== undefined && typeof value === 'string' ? [value] : [];
}

/** Values of an object that others may serve, in the form in which `servedText` compares them. */
export function servedValues({ fields }: Kind, { computed }: LiveResource): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = computed[name];
    return field.serves === true && typeof value === 'string' ? [servedText(value)] : [];
  });
}

/** Two values that differ in case only are taken for the same: it is better to refuse too much. */
export function servedText(text: string): string {
  return text.toLowerCase();
}

/** Attributes that the manifest refers to, by address. */
export function attributesByAddress(manifest: {
  readonly resources: readonly { readonly spec: Value }[];
  readonly outputs: ReadonlyMap<string, Value>;
}): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  const collect = (value: Value) => {
    eachLeaf(value, (leaf) => {
      if (!(leaf instanceof Expression)) return;
      for (const { address, attr } of leaf.references()) {
        const known = found.get(address);
        if (known === undefined) found.set(address, new Set([attr]));
        else known.add(attr);
      }
    });
  };
  for (const resource of manifest.resources) collect(resource.spec);
  for (const output of manifest.outputs.values()) collect(output);
  return new Map([...found].map(([address, attrs]) => [address, [...attrs]]));
}
