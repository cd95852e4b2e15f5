// Adds objects to a document: of any kind, with random fields, inside a parent where the kind needs one.

import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import type { Block, Declared } from './document.ts';
import {
  choosePath,
  documentValues,
  isSet,
  makeBlock,
  objectsOf,
  sectionOf,
  setField,
  uniqueFields,
} from './document.ts';
import { fieldPaths } from './samples.ts';

export interface ObjectRecipe {
  readonly kind: number;
  readonly parent: number;
  readonly variant: number;
  readonly fields: readonly { readonly path: number; readonly variant: number }[];
  readonly lifecycle: number;
}

const NAMES = 'a b c d e f g h i j k l m n o p'.split(' ');

/** Adds one object, and its parent when there is none yet. */
export function addObject(doc: Block, recipe: ObjectRecipe): Declared | undefined {
  const kind = managedKinds[recipe.kind % managedKinds.length]!;
  let holder = doc;
  let parent: Declared | undefined;
  if (kind.parent) {
    const parentKind = kindByName(kind.parent.kind);
    const homes = objectsOf(doc).filter((declared) => declared.kind === parentKind);
    const made = { ...recipe, kind: managedKinds.indexOf(parentKind), fields: [] };
    parent = homes[recipe.parent % Math.max(1, homes.length)] ?? addObject(doc, made);
    if (parent === undefined) return undefined;
    holder = parent.block;
  }
  const section = sectionOf(holder, kind);
  const name = NAMES.find((one) => section[one] === undefined);
  if (name === undefined) return undefined;
  const address = `${parent === undefined ? '' : `${parent.address}.`}${kind.manifestKey}.${name}`;
  const empty: Declared = { kind, name, address, parent, section, block: {} };
  const values = documentValues(doc, empty);
  const block = makeBlock(kind, recipe.variant, values);
  if (block === undefined) {
    if (Object.keys(section).length === 0) delete holder[kind.manifestKey];
    return undefined;
  }
  for (const { path: number, variant } of recipe.fields) {
    const target = choosePath(kind, number);
    setField(kind, block, target, variant, values);
  }
  for (const [field, one] of uniqueFields(kind)) {
    const value = recipe.lifecycle % 5 === 0 ? undefined : values.unique(one, field, recipe.variant);
    if (value !== undefined) block[field] ??= value;
  }
  const lifecycle = lifecycleOf(kind.name, recipe.lifecycle, block);
  if (lifecycle !== undefined) block['lifecycle'] = lifecycle;
  section[name] = block;
  return { ...empty, block };
}

/** Mostly none. */
export function lifecycleOf(kindName: string, number: number, block: Block): Block | undefined {
  const fields = Object.keys(block).filter((key) => kindByName(kindName).fields[key] !== undefined);
  if (number === 39) return { prevent_destroy: true };
  if (number === 38) return { on_immutable_change: 'refuse' };
  if ((number === 37 || number === 36) && fields.length > 0)
    return { ignore_changes: [fields[number % fields.length]!] };
  if (number >= 33 && number <= 35) return ignoringPart(kindName, number, block);
  return undefined;
}

/** Some of the values inside a module are left alone, among them single keys of maps. */
function ignoringPart(kindName: string, number: number, block: Block): Block | undefined {
  const parts = fieldPaths(kindByName(kindName).fields).filter(({ path }) => path.length > 1 && isSet(block, path));
  const paths = parts.flatMap(({ path, field }) => {
    const text = path.join('.');
    return field.type === 'map' ? [text, `${text}.x-sample`, `${text}.other`] : [text];
  });
  const chosen = paths.filter((_, index) => (index + number) % 3 === 0);
  return chosen.length === 0 ? undefined : { ignore_changes: chosen };
}
