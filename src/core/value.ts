// Values of a manifest or a live resource: JSON plus secrets and expressions that refer to other resources. Knows nothing of
// kinds.

import { append } from './append.ts';
import { isList, isObject, mapObject, type Json, type JsonObject, type Path } from './json.ts';
import { Secret } from './secrets/secret.ts';

/** A value of another resource, written `${kind.name.attr}`: `address` names the resource, `attr` is a dotted path. */
export interface Reference {
  readonly address: string;
  readonly attr: string;
}

/** Properties of an expression other than its parts. */
interface ExpressionTraits {
  /** The text is secret even if no part of it is, because its field is. */
  readonly isSecret?: boolean;
  /** Where apply finds it, as for a secret. */
  readonly origin?: string | undefined;
}

/**
 * Text that is not known yet: it holds references, or a variable without a value where none is needed. Parts are in order,
 * without two texts in a row.
 */
export class Expression {
  readonly parts: readonly (string | Secret | Reference)[];
  /** True when the whole text is opaque. */
  readonly isSecret: boolean;
  readonly origin: string | undefined;

  constructor(parts: readonly (string | Secret | Reference)[], { isSecret = false, origin }: ExpressionTraits = {}) {
    this.parts = joinTexts(parts);
    this.isSecret = isSecret || parts.some((part) => part instanceof Secret);
    this.origin = origin;
  }

  /** The same text, found at another place. */
  at(origin: string): Expression {
    return new Expression(this.parts, { isSecret: this.isSecret, origin });
  }

  references(): Reference[] {
    return this.parts.filter(isReference);
  }

  /** The text, with secrets and references replaced by what the functions return. */
  written(secret: (part: Secret) => string, reference: (part: Reference) => string): string {
    const texts = this.parts.map((part) => {
      if (typeof part === 'string') return part;
      return part instanceof Secret ? secret(part) : reference(part);
    });
    return texts.join('');
  }
}

/** Joins neighbouring texts, so that equal expressions have equal parts. */
function joinTexts(parts: Expression['parts']): Expression['parts'] {
  const joined: (string | Secret | Reference)[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else joined.push(part);
  }
  return joined;
}

/** One field value: JSON whose leaves may also be secrets or expressions. */
export type Value = null | boolean | number | string | Secret | Expression | readonly Value[] | ValueObject;
export interface ValueObject {
  readonly [key: string]: Value;
}

export function isReference(part: unknown): part is Reference {
  return isObject(part) && 'address' in part && 'attr' in part;
}

/** True for an object of values (not a list, secret or expression). */
export function isValueObject(value: Value | undefined): value is ValueObject {
  return isObject(value) && !(value instanceof Secret) && !(value instanceof Expression);
}

/** Visits every leaf (scalar, secret, expression). Its path is valid only during the visit. */
export function eachLeaf(value: Value, visit: (leaf: Value, path: Path) => void): void {
  const path: string[] = [];
  const walk = (at: Value): void => {
    if (!isList(at) && !isValueObject(at)) {
      visit(at, path);
      return;
    }
    for (const key of Object.keys(at)) {
      path.push(key);
      walk((at as ValueObject)[key] ?? null);
      path.pop();
    }
  };
  walk(value);
}

/** The value with every leaf replaced by the result of `change`. */
export function mapLeaves(value: Value, change: (leaf: Value, path: Path) => Value, path: Path = []): Value {
  if (isList(value)) return value.map((item, index) => mapLeaves(item, change, [...path, String(index)]));
  if (!isValueObject(value)) return change(value, path);
  return mapObject(value, (item, key) => mapLeaves(item, change, [...path, key]));
}

/** True for a leaf that must not be shown: a secret, or a text that contains one. */
export function isOpaque(leaf: Value | undefined): boolean {
  return leaf instanceof Secret || (leaf instanceof Expression && leaf.isSecret);
}

/** True when any leaf of the value must not be shown. */
export function holdsSecret(value: Value): boolean {
  return someLeaf(value, isOpaque);
}

/** True when the value holds a reference that is not known yet. */
export function holdsUnknown(value: Value): boolean {
  return someLeaf(value, (leaf) => leaf instanceof Expression);
}

export function someLeaf(value: Value, test: (leaf: Value) => boolean): boolean {
  if (isList(value)) return value.some((item) => someLeaf(item, test));
  if (!isValueObject(value)) return test(value);
  for (const key of Object.keys(value)) if (someLeaf(value[key] ?? null, test)) return true;
  return false;
}

export function referencesIn(value: Value): Reference[] {
  const found: Reference[] = [];
  someLeaf(value, (leaf) => {
    if (leaf instanceof Expression) append(found, leaf.references());
    return false;
  });
  return found;
}

export function secretsIn(value: Value): Secret[] {
  const found: Secret[] = [];
  someLeaf(value, (leaf) => {
    if (leaf instanceof Secret) found.push(leaf);
    else if (leaf instanceof Expression) for (const part of leaf.parts) if (part instanceof Secret) found.push(part);
    return false;
  });
  return found;
}

/** Anything but a list or an object. */
type Leaf = null | boolean | number | string | Secret | Expression;

export function toJson(value: ValueObject, leafOf: (leaf: Leaf) => Json): JsonObject;
export function toJson(value: Value, leafOf: (leaf: Leaf) => Json): Json;
export function toJson(value: Value, leafOf: (leaf: Leaf) => Json): Json {
  if (isList(value)) return value.map((item) => toJson(item, leafOf));
  return isValueObject(value) ? mapObject(value, (item) => toJson(item, leafOf)) : leafOf(value);
}

/** The value in clear text: equal values give equal JSON. It must never leave the process. */
export function revealed(value: ValueObject): JsonObject;
export function revealed(value: Value): Json;
export function revealed(value: Value): Json {
  return toJson(value, revealedLeaf);
}

function revealedLeaf(leaf: Leaf): Json {
  if (leaf instanceof Secret) return leaf.reveal();
  return leaf instanceof Expression ? { expression: leaf.parts.map(revealedPart) } : leaf;
}

function revealedPart(part: string | Secret | Reference): Json {
  if (typeof part === 'string') return part;
  return part instanceof Secret ? part.reveal() : { address: part.address, attr: part.attr };
}

/** Joins a path inside an object with dots; a dot inside a segment is written `~1`. */
export function formatPath(path: Path): string {
  return path.map((segment) => segment.replaceAll('~', '~0').replaceAll('.', '~1')).join('.');
}

/** Splits what `formatPath` made. */
export function parsePath(path: string): string[] {
  return path.split('.').map((segment) => segment.replaceAll('~1', '.').replaceAll('~0', '~'));
}

/** The value with an origin (`OWNER#PATH`) on every secret and every expression. */
export function placed(value: ValueObject, owner: string): ValueObject {
  const isPlaced = (leaf: Value) => leaf instanceof Secret || leaf instanceof Expression;
  const place = (leaf: Value, path: Path) =>
    leaf instanceof Secret || leaf instanceof Expression ? leaf.at(`${owner}#${formatPath(path)}`) : leaf;
  if (!someLeaf(value, isPlaced)) return value;
  return mapObject(value, (item, name) => (someLeaf(item, isPlaced) ? mapLeaves(item, place, [name]) : item));
}

/** The member with a name from outside; inherited names such as `toString` do not count. */
export function memberOf(value: Value | undefined, name: string): Value | undefined {
  return isValueObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value at a path of keys and indices; undefined when there is none. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined;
export function valueAt(value: Value | undefined, path: Path): Value | undefined;
export function valueAt(value: Value | undefined, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((at, key) => {
    if (at !== undefined && isList(at)) return at[Number(key)];
    return memberOf(at, key);
  }, value);
}
