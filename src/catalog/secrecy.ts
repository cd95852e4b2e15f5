// Which fields may hold a secret: what a plan must show, or what decides a path or an order, cannot be one. And where in a
// value secrets are that the catalogue does not know of, and how text is hidden.

import { isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import type { Value } from '../core/value.ts';
import { formatPath, isOpaque, isValueObject } from '../core/value.ts';
import type { Field } from './field.ts';

/** Why the field cannot hold a secret, to follow "because"; undefined when it can. */
export function whyNeverSecret(field: Field): string | undefined {
  switch (field.type) {
    case 'integer':
    case 'number':
      return 'numbers are shown';
    case 'boolean':
      return 'it is either true or false';
    case 'string':
      if (field.values !== undefined) return 'it is one of a few values that everybody knows';
      if (field.ref !== undefined) return 'ids are shown, and decide the order of steps';
      return field.neverSecret;
    case 'list':
    case 'map':
    case 'object':
      return undefined;
    default:
      return field satisfies never;
  }
}

/** Where a value stands. */
export interface Standing {
  /** Undefined for names that the catalogue does not know. */
  readonly field: Field | undefined;
  /** Where the applier finds the object: `ADDRESS` or `live:ID`. */
  readonly owner: string;
  readonly path: readonly string[];
}

/** One leaf with its field, its path, and its place: the path without positions in lists, which say nothing. */
type Visit = (leaf: Value, field: Field | undefined, at: { readonly path: Path; readonly place: Path }) => Value;
type Path = readonly string[];

function walk(value: Value, field: Field | undefined, at: { path: Path; place: Path }, visit: Visit): Value {
  if (isList(value)) {
    const items = field?.type === 'list' ? field.items : undefined;
    return value.map((item, index) => walk(item, items, { ...at, path: [...at.path, String(index)] }, visit));
  }
  if (!isValueObject(value)) return visit(value, field, at);
  const fields = field?.type === 'object' ? field.fields : {};
  const entries = Object.entries(value).map(([name, item]): [string, Value] => {
    const sub = field?.type === 'map' ? field.items : Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, walk(item, sub, { path: [...at.path, name], place: [...at.place, name] }, visit)];
  });
  return Object.fromEntries(entries);
}

/** The value with every text opaque that can be a secret, or with those whose place is chosen. */
export function hide(value: Value, { field, owner, path }: Standing, isChosen = (_place: string) => true): Value {
  return walk(value, field, { path, place: path }, (leaf, sub, at) => {
    const canBe = sub === undefined || whyNeverSecret(sub) === undefined;
    if (typeof leaf !== 'string' || !canBe || !isChosen(placeText(at.place))) return leaf;
    return new Secret(leaf, { origin: `${owner}#${formatPath(at.path)}`, isCover: true });
  });
}

/** Paths of opaque texts that pass the test, each a list as a whole; `isNamed` says whether the catalogue knows the text's field. */
export function opaquePaths(
  value: Value,
  { field, path }: Pick<Standing, 'field' | 'path'>,
  test: (text: string, isNamed: boolean) => boolean,
): string[] {
  const found = new Set<string>();
  walk(value, field, { path, place: path }, (leaf, sub, at) => {
    if (leaf instanceof Secret && test(leaf.reveal(), sub !== undefined))
      found.add(formatPath(outsideLists(value, at.path, path)));
    return leaf;
  });
  return [...found];
}

/** The path, or that of the outermost list on it. */
function outsideLists(value: Value, path: Path, above: Path): Path {
  let at: Value | undefined = value;
  for (const [index, name] of path.slice(above.length).entries()) {
    if (at !== undefined && isList(at)) return path.slice(0, above.length + index);
    at = isValueObject(at) ? at[name] : undefined;
  }
  return path;
}

/** Places of secrets that the catalogue does not know as such, each once. */
export function hiddenPlaces(value: Value, field: Field, name: string): string[] {
  const found = new Set<string>();
  walk(value, field, { path: [name], place: [name] }, (leaf, sub, { place }) => {
    if (isOpaque(leaf) && sub?.sensitive !== true) found.add(placeText(place));
    return leaf;
  });
  return [...found];
}

/** Names in maps may come back in another case. */
function placeText(place: Path): string {
  return formatPath(place).toLowerCase();
}
