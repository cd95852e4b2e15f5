// Values of a manifest or a live resource after reading: JSON plus secrets and expressions that name other resources.
// Knows nothing of kinds.

import type { Json } from './json.ts';
import { isList, isObject } from './json.ts';
import { Secret } from './secret.ts';

/** A value of another resource, written `${kind.name.attr}`: `address` names the resource, `attr` is a dotted path. */
export interface Reference {
  readonly address: string;
  readonly attr: string;
}

/** Text with references inside; parts in order. It always holds at least one reference (else it is a plain string). */
export class Expression {
  readonly parts: readonly (string | Secret | Reference)[];

  constructor(parts: readonly (string | Secret | Reference)[]) {
    this.parts = parts;
  }

  /** The references inside, in order of appearance. */
  references(): Reference[] {
    return this.parts.filter(isReference);
  }
}

/** One field value: JSON whose leaves may also be secrets or expressions. */
export type Value = null | boolean | number | string | Secret | Expression | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [key: string]: Value;
}

function isReference(part: string | Secret | Reference): part is Reference {
  return typeof part === 'object' && !(part instanceof Secret);
}

/** True for an object of values (not a list, secret or expression). */
export function isValueObject(value: Value | undefined): value is ValueObject {
  return isObject(value) && !(value instanceof Secret) && !(value instanceof Expression);
}

/** Visits every leaf (scalar, secret, expression) with its dotted path. */
export function eachLeaf(value: Value, visit: (leaf: Value, path: readonly string[]) => void): void {
  walk(value, [], visit);
}

function walk(value: Value, path: readonly string[], visit: (leaf: Value, path: readonly string[]) => void): void {
  if (isList(value)) value.forEach((item, index) => walk(item, [...path, String(index)], visit));
  else if (isValueObject(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key], visit);
  else visit(value, path);
}

/** The same value with every leaf replaced by what `change` gives. */
export function mapLeaves(value: Value, change: (leaf: Value, path: readonly string[]) => Value): Value {
  return rebuild(value, [], change);
}

function rebuild(
  value: Value,
  path: readonly string[],
  change: (leaf: Value, path: readonly string[]) => Value,
): Value {
  if (isList(value)) return value.map((item, index) => rebuild(item, [...path, String(index)], change));
  if (!isValueObject(value)) return change(value, path);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rebuild(item, [...path, key], change)]));
}

/** Wraps plain JSON as a value; the two types differ only in what else a value may hold. */
export function fromJson(json: Json): Value {
  return json;
}

/** The secret at a path inside a value, or undefined. */
export function secretIn(value: Value, path: readonly string[]): Secret | undefined {
  const found = path.reduce<Value | undefined>((at, key) => {
    if (at === undefined) return undefined;
    if (isList(at)) return at[Number(key)];
    return isValueObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
  return found instanceof Secret ? found : undefined;
}
