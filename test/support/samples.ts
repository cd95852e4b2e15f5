// Valid specs made from the catalogue's tables: the smallest of a kind, and variants that hold, change or lack one field.
// Knows nothing of the planner or the emulator.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Field, Fields, StringField } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';

type Mutable = { [key: string]: Json };

export interface FieldPath {
  readonly path: readonly string[];
  readonly field: Field;
  /** The fields on the way, outermost first, the field itself last. */
  readonly chain: readonly Field[];
}

/** Every field a manifest may set, nested ones after the object that holds them. */
export function fieldPaths(fields: Fields, above?: FieldPath): FieldPath[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.write === 'never') return [];
    const here: FieldPath = { path: [...(above?.path ?? []), name], field, chain: [...(above?.chain ?? []), field] };
    return field.type === 'object' ? [here, ...fieldPaths(field.fields, here)] : [here];
  });
}

/** The smallest valid spec of a kind; `tag` makes unique values differ between objects. */
export function smallest(kind: Kind, tag: string): JsonObject {
  return smallestObject(kind.fields, tag);
}

function smallestObject(fields: Fields, tag: string): Mutable {
  const made: Mutable = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.required && field.write !== 'never') made[name] = sample(field, 0, tag);
  }
  return made;
}

/** One valid value of a field; another `variant` (0, 1) gives another value. */
export function sample(field: Field, variant: number, tag: string): Json {
  switch (field.type) {
    case 'string':
      return sampleText(field, variant, tag);
    case 'integer':
      return Math.min(field.max ?? 100, (field.min ?? 0) + 7 + variant);
    case 'number':
      return ((field.min ?? 0) + (field.max ?? 100)) / (2 + variant);
    case 'boolean':
      return (typeof field.default === 'object' && field.default.value === true) !== (variant === 0);
    case 'list':
      return [sample(field.items, variant, tag)];
    case 'map':
      return { 'x-sample': `value ${variant}` };
    case 'object': {
      const made = smallestObject(field.fields, tag);
      const [first] = Object.entries(field.fields).filter(([, sub]) => sub.write !== 'never');
      if (field.exactlyOne && first) made[first[0]] = sample(first[1], variant, tag);
      return made;
    }
    default:
      return field satisfies never;
  }
}

function sampleText(field: StringField, variant: number, tag: string): string {
  if (field.ref) return sampleRef(field, variant);
  if (field.values) return field.values[variant % field.values.length] ?? '';
  const made = [
    `${tag}-${variant}.example.com:443`,
    `${tag}-${variant}.example.com`,
    `sample ${variant}`,
    `sample_${variant}.v0`,
    `org/team-${variant}`,
    `bind:${tag}-${variant}.example.com`,
    `person${variant}@example.com`,
    `/path-${variant}`,
    `https://${tag}-${variant}.example.com`,
    ...(field.examples ?? []).slice(variant).map(String),
  ];
  const fits = made.find((text) => !field.pattern || new RegExp(field.pattern.regex, 'u').test(text));
  if (fits === undefined) throw new Error(`no sample fits ${field.pattern?.regex ?? ''}: ${field.doc}`);
  return fits;
}

function sampleRef(field: StringField, variant: number): string {
  const own = new Set(managedKinds.map((kind) => kind.idPrefix));
  const foreign = field.ref?.prefixes.find((prefix) => !own.has(prefix));
  if (foreign !== undefined) return `${foreign}sample${variant}`;
  const kind = kindByName(field.ref?.kinds[0] ?? '');
  return `\${${kind.manifestKey}.dep${variant}.id}`;
}

/** Kinds that samples of this kind may reference. */
export function referencedKinds(fields: Fields): Set<string> {
  const found = new Set<string>();
  const visit = (field: Field): void => {
    if (field.type === 'string') field.ref?.kinds.forEach((name) => found.add(name));
    if (field.type === 'list') visit(field.items);
    if (field.type === 'object') Object.values(field.fields).forEach(visit);
  };
  Object.values(fields).forEach(visit);
  return found;
}

/** A manifest with one object `main` of the kind, its parent, and two objects of every kind it may reference. */
export function manifestWith(kind: Kind, spec: Json): JsonObject {
  const sections: { [key: string]: Mutable } = {};
  const put = (target: Kind, name: string, value: Json) => {
    (sections[target.manifestKey] ??= {})[name] = value;
  };
  for (const name of referencedKinds(kind.fields)) {
    const target = kindByName(name);
    put(target, 'dep0', smallest(target, 'dep0'));
    put(target, 'dep1', smallest(target, 'dep1'));
  }
  if (kind.parent) {
    const parent = kindByName(kind.parent.kind);
    put(parent, 'home', { ...smallest(parent, 'home'), [kind.parent.listedAs]: { main: spec } });
  } else put(kind, 'main', spec);
  return { version: 1, stack: 'field-tests', ...sections };
}

/** Candidates for a spec that holds the field: alone, or with all its siblings; cross-field rules decide which is valid. */
export function specsWith(kind: Kind, target: FieldPath, variant: number, tag = 'main'): JsonObject[] {
  const specs = (['alone', 'siblings', 'whole'] as const).map((mode) => {
    const siblings = mode === 'siblings';
    const spec: Mutable = { ...smallest(kind, tag) };
    let object = spec;
    let fields = kind.fields;
    target.path.forEach((name, depth) => {
      const last = depth === target.path.length - 1;
      const field = target.chain[depth];
      if (!field) return;
      const holder = target.chain[depth - 1];
      if (holder?.type === 'object' && holder.exactlyOne) for (const key of Object.keys(object)) delete object[key];
      else if (last && siblings && depth > 0) fillSiblings(object, fields, tag);
      const made = last ? sample(field, variant, tag) : (object[name] ?? sample(field, 0, tag));
      const copy: { [key: string]: Json } | Json = isObject(made) ? { ...made } : made;
      if (last && mode === 'whole' && field.type === 'object' && isObject(copy)) fillSiblings(copy, field.fields, tag);
      object[name] = copy;
      if (!last && isObject(copy) && field.type === 'object') {
        object = copy;
        fields = field.fields;
      }
    });
    return spec;
  });
  // Most fields have no siblings, and nothing in them.
  return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
}

function fillSiblings(object: Mutable, fields: Fields, tag: string): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.write !== 'never' && object[name] === undefined) object[name] = sample(field, 0, tag);
  }
}

/** The spec without the field. */
export function without(spec: JsonObject, path: readonly string[]): JsonObject {
  const [head = '', ...rest] = path;
  if (rest.length === 0) return Object.fromEntries(Object.entries(spec).filter(([key]) => key !== head));
  const inner = spec[head];
  return isObject(inner) ? { ...spec, [head]: without(inner, rest) } : spec;
}
