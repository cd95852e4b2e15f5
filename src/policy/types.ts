// Types and values of CEL, made from the catalogue: what an expression can see. A value that is not known, or must not be seen, is
// there for `has()`, and whatever reads it is undecided.

import type { Kind } from '../catalog/kind.ts';
import { kindByName, managedKinds } from '../catalog/lookup.ts';
import { isList } from '../core/json.ts';
import { SECRET_MASK } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { Expression, isOpaque, isValueObject, type Value } from '../core/value.ts';
import { newEnvironment, Undecided, type Environment } from './cel.ts';
import { VARIABLES, type Shapes, type Subject } from './visible.ts';

type Shape = Shapes[string];

/** A type of CEL: how it is written, and how its values are made. */
interface CelType {
  readonly name: string;
  readonly make: (value: Value) => unknown;
}

/** The value of a field that is secret by the catalogue: equals nothing, not itself either. */
class SecretValue {
  readonly is = 'secret';
}
const SECRET: CelType = { name: 'secret', make: () => new SecretValue() };
const TEXT: CelType = { name: 'string', make: (value) => value };
const TRUTH: CelType = { name: 'bool', make: (value) => value };
const NUMBER: CelType = { name: 'double', make: (value) => value };
const WHOLE: CelType = { name: 'int', make: (value) => BigInt(Math.trunc(Number(value))) };
/** Any JSON. */
const ANY: CelType = { name: 'dyn', make: anything };

function anything(value: Value): unknown {
  if (isList(value)) return listOf(ANY).make(value);
  if (isValueObject(value)) return mapOf(ANY).make(value);
  return Number.isSafeInteger(value) ? WHOLE.make(value) : value;
}

function listOf(items: CelType): CelType {
  return { name: `list<${items.name}>`, make: (value) => filled([], value, () => items) };
}

function mapOf(items: CelType): CelType {
  return { name: `map<string, ${items.name}>`, make: (value) => filled({}, value, () => items) };
}

/** The target with the members of a list or an object that have a type; one that cannot be read throws when it is. */
function filled<T extends object>(target: T, value: Value, typeOf: (name: string) => CelType | undefined): T {
  if (!isList(value) && !isValueObject(value)) return target;
  for (const [name, item] of Object.entries<Value>(value)) {
    const type = typeOf(name);
    if (type === undefined || item === null) continue;
    const isUnreadable = isHidden(item) && type !== SECRET;
    // A secret is another one each time.
    if (isUnreadable || type === SECRET || name === '__proto__')
      Object.defineProperty(target, name, {
        get: () => (isUnreadable ? undecided(item) : type.make(item)),
        enumerable: true,
      });
    else (target as Record<string, unknown>)[name] = type.make(item);
  }
  return target;
}

function isHidden(value: Value): boolean {
  return value instanceof Secret || value instanceof Expression;
}

function undecided(value: Value): never {
  if (!(value instanceof Expression) || isOpaque(value)) throw new Undecided('a sensitive value');
  throw new Undecided(
    value.written(
      () => SECRET_MASK,
      ({ address, attr }) => `\${${address}.${attr}}`,
    ),
  );
}

/** The type of an object, registered under its path with those inside it. */
function objectType(environment: Environment, shapes: Shapes, path: string): CelType {
  const types = new Map<string, CelType>();
  for (const [name, shape] of Object.entries(shapes))
    if (shape.write !== 'never') types.set(name, typeOf(environment, shape, `${path}.${name}`));
  // The library tells types apart by the classes of their values.
  const ctor = class extends Object {};
  const fields = Object.fromEntries([...types].map(([name, type]) => [name, type.name]));
  environment.registerType(path, { ctor, fields });
  return { name: path, make: (value) => filled(new ctor(), value, (name) => types.get(name)) };
}

function typeOf(environment: Environment, shape: Shape, path: string): CelType {
  const { type, sensitive, open, items = shape, fields = {} } = shape;
  if (sensitive) return SECRET;
  switch (type) {
    case 'list':
      return listOf(typeOf(environment, items, path));
    case 'map':
      return mapOf(typeOf(environment, items, path));
    case 'object':
      return open ? mapOf(ANY) : objectType(environment, fields, path);
    case 'string':
      return TEXT;
    case 'boolean':
      return TRUTH;
    case 'number':
      return NUMBER;
    case 'integer':
      return WHOLE;
    default:
      return type satisfies never;
  }
}

/** What the expressions of policies about one subject can see. */
export interface PolicyScope {
  readonly environment: Environment;
  /** Makes the value of a variable. */
  readonly make: (variable: string, value: Value) => unknown;
  /** All names of fields, for suggestions. */
  readonly names: readonly string[];
}

/** Texts that every kind has: what a policy sees that names no kinds. */
function commonFields(): Shapes {
  const [first, ...others] = managedKinds.map(({ fields }): Shapes => fields);
  const isCommon = ([name, { type }]: [string, Shape]) =>
    type === 'string' && others.every((fields) => Object.hasOwn(fields, name) && fields[name]?.type === type);
  return Object.fromEntries(Object.entries(first ?? {}).filter(isCommon));
}

/** What policies about a subject can see of a kind, or of every kind. */
export function scopeOf(on: Subject, kind?: Kind): PolicyScope {
  const environment = newEnvironment().registerType(SECRET.name, { ctor: SecretValue, fields: {} });
  for (const other of [SECRET.name, TEXT.name])
    environment.registerOperator(`${SECRET.name} == ${other}: bool`, () => false);
  const fields: Shapes = kind?.fields ?? commonFields();
  const resource = objectType(environment, fields, kind?.name ?? 'resource');
  const typeOfVariable = (name: string, shape: Shape) => {
    if (shape.ofKind) return resource;
    return shape.ofParent ? parentType(environment, kind) : typeOf(environment, shape, `its.${name}`);
  };
  const types = new Map<string, CelType>();
  for (const [name, shape] of Object.entries<Shape>(VARIABLES[on])) {
    const type = typeOfVariable(name, shape);
    if (type === undefined) continue;
    environment.registerVariable(name, type.name);
    types.set(name, type);
  }
  return {
    environment,
    make: (variable, value) => types.get(variable)?.make(value),
    names: [...namesIn(fields), ...namesIn(VARIABLES[on])],
  };
}

/** The type of what objects of a kind are in; undefined for a kind whose objects are in none. */
function parentType(environment: Environment, kind: Kind | undefined): CelType | undefined {
  if (kind?.parent === undefined) return undefined;
  const { name, fields } = kindByName(kind.parent.kind);
  return objectType(environment, { ...fields, address: ADDRESS }, name);
}

const ADDRESS: Shape = { type: 'string', doc: 'Its address.' };

function namesIn(shapes: Shapes): string[] {
  return Object.entries(shapes).flatMap(([name, { fields = {}, items }]) => [
    name,
    ...namesIn(fields),
    ...namesIn(items?.fields ?? {}),
  ]);
}
