// Manifest keys that belong to no kind, for `explain` and the reference: derived from the schema. Pure.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Kind } from '../catalog/kind.ts';
import { managedKinds } from '../catalog/lookup.ts';
import { lifecycleSchema, manifestSchema } from './generate.ts';
import { FORM } from './hints.ts';

export const LIFECYCLE = 'lifecycle';
/** Placeholder in paths for a name that the user chooses. */
export const ANY_NAME = 'NAME';

/** A key that belongs to no kind, and its members. */
export interface OwnKey {
  /** The key alone, such as `from`. */
  readonly name: string;
  /** Its place in a manifest, such as `moved[].from` or `variables.NAME.default`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly doc: string;
  /** Which values are accepted beyond the type, in words. */
  readonly limits: readonly string[];
  readonly examples: readonly Json[];
  readonly children: readonly OwnKey[];
}

/** Top-level keys of a manifest besides the kinds, and `lifecycle`, which any resource may have. */
export function ownKeys(): OwnKey[] {
  const schema = manifestSchema([]);
  return [...keysIn(schema, ''), lifecycleKey()];
}

export function lifecycleKey(kind?: Kind): OwnKey {
  return keyOf(LIFECYCLE, lifecycleSchema(kind), { above: '', isRequired: false });
}

/** The manifest keys of the kind, such as `https_edges.routes`. */
export function pathOfKind(kind: Kind): string {
  const above = managedKinds.find(({ name }) => name === kind.parent?.kind);
  return above === undefined ? kind.manifestKey : `${pathOfKind(above)}.${kind.manifestKey}`;
}

function keysIn(schema: JsonObject, above: string): OwnKey[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const names = isList(required) ? required : [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    isObject(inner) ? [keyOf(name, inner, { above, isRequired: names.includes(name) })] : [],
  );
}

function keyOf(
  name: string,
  schema: JsonObject,
  { above, isRequired }: { readonly above: string; readonly isRequired: boolean },
): OwnKey {
  const path = `${above}${name}`;
  const { items, additionalProperties: named, description, examples } = schema;
  const inside = isObject(items)
    ? keysIn(items, `${path}[].`)
    : isObject(named)
      ? keysIn(named, `${path}.${ANY_NAME}.`)
      : keysIn(schema, `${path}.`);
  return {
    name,
    path,
    type: typeOf(schema),
    isRequired,
    doc: typeof description === 'string' ? description : '',
    limits: limitsOf(schema),
    examples: isList(examples) ? examples : [],
    children: inside,
  };
}

function typeOf({ type, items, additionalProperties: named, const: only }: JsonObject): string {
  if (isObject(items)) return `list of ${typeOf(items)}`;
  if (isObject(named)) return `map of ${ANY_NAME} to ${typeOf(named)}`;
  if (isList(type)) return `${type.slice(0, -1).map(String).join(', ')} or ${String(type.at(-1))}`;
  if (only !== undefined) return typeof only;
  return typeof type === 'string' ? type : 'string';
}

function limitsOf({ enum: values, const: only, [FORM]: form }: JsonObject): string[] {
  return [
    ...(isList(values) ? [`one of ${values.map(String).join(', ')}`] : []),
    ...(only === undefined ? [] : [`always ${JSON.stringify(only)}`]),
    ...(typeof form === 'string' ? [form] : []),
  ];
}
