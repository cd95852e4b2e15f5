// Which fields may hold a secret: not those that a plan must show, or that decide a path or an order. Also finds secrets that
// the catalogue does not know of, and hides text.

import type { Path } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { formatPath, holdsSecret, isOpaque, type Value } from '../../core/value.ts';
import type { Field } from '../field.ts';
import { eachFieldLeaf, mapFieldLeaves } from '../walk.ts';

/** Why the field cannot hold a secret, as the end of a sentence after "because"; undefined when it can. */
export function whyNeverSecret(field: Field): string | undefined {
  switch (field.type) {
    case 'integer':
    case 'number':
      return 'numbers are shown';
    case 'boolean':
      return 'it is either true or false';
    case 'string':
      if (field.values !== undefined) return 'it is one of a few well-known values';
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

interface FieldLocation {
  /** Undefined for names that the catalogue does not know. */
  readonly field: Field | undefined;
  /** Where apply finds the object: `ADDRESS` or `live:ID`. */
  readonly owner: string;
  readonly path: Path;
}

/** The value with every text made opaque that may be a secret, or only the chosen ones. */
export function hide(
  value: Value,
  { field, owner, path }: FieldLocation,
  isChosen = (_place: string, _text: string) => true,
): Value {
  return mapFieldLeaves(value, { field, path, place: path }, (leaf, { field: sub, ...at }) => {
    const canBe = sub === undefined || whyNeverSecret(sub) === undefined;
    if (typeof leaf !== 'string' || !canBe || !isChosen(pathText(at.place), leaf)) return leaf;
    return new Secret(leaf, { origin: `${owner}#${formatPath(at.path)}`, isCover: true });
  });
}

/** Places of secrets that the catalogue does not call secret, each once. */
export function hiddenPaths(value: Value, field: Field, name: string): string[] {
  if (!holdsSecret(value)) return [];
  const found = new Set<string>();
  eachFieldLeaf(value, field, (leaf, { field: sub, place }) => {
    if (isOpaque(leaf) && sub?.sensitive !== true) found.add(pathText([name, ...place]));
  });
  return [...found];
}

/** The service may return map keys in another case. */
function pathText(place: Path): string {
  return formatPath(place).toLowerCase();
}
