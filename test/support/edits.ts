// What people do to a manifest between two applies, as changes of a document. Each edit is small and named.

import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import type { Block, Declared } from './document.ts';
import {
  choosePath,
  documentValues,
  isSet,
  objectsOf,
  poolText,
  removeField,
  SECRETS,
  setField,
  taken,
  textsIn,
  uniqueFields,
} from './document.ts';
import { addObject, lifecycleOf } from './add-objects.ts';
import { moveBlock, renamed, withoutReferences } from './relocate.ts';
import type { FieldPath } from './samples.ts';
import { fieldPaths } from './samples.ts';

export interface EditRecipe {
  readonly op: number;
  readonly at: number;
  readonly other: number;
  readonly path: number;
  readonly variant: number;
}

/** Changes the document in place and says what it did; undefined when there is nothing to do. */
type Edit = (doc: Block, declared: Declared, recipe: EditRecipe) => string | undefined;

const EDITS = {
  moveUnique: (doc, declared, { other, path }) => {
    const rivals = rivalsOf(doc, declared, path);
    const to = rivals.found[other % Math.max(1, rivals.found.length)];
    return to && give(doc, declared, { to, name: rivals.name, field: rivals.field });
  },
  rotateUnique: (doc, declared, { other, path }) => {
    const { name, found } = rivalsOf(doc, declared, path);
    const ring = [declared, ...found.slice(0, 1 + (other % 3))].filter((one) => one.block[name] !== undefined);
    if (ring.length < 2) return undefined;
    const held = ring.map((one) => one.block[name]!);
    ring.forEach((one, index) => {
      one.block[name] = held[(index + 1) % held.length]!;
    });
    return `rotate ${name} of ${ring.map((one) => one.address).join(', ')}`;
  },
  moveChild: (doc, declared, { other, variant }) => {
    const homes = objectsOf(doc).filter(
      (one) => one.kind === declared.parent?.kind && one.address !== declared.parent.address,
    );
    const home = homes[other % Math.max(1, homes.length)];
    return home && moveBlock(doc, declared, { home, name: declared.name, isMoved: variant % 2 === 1 });
  },
  repoint: (doc, declared, { path, variant }) => {
    const refs = fieldPaths(declared.kind.fields).filter(
      (one) =>
        isSet(declared.block, one.path) &&
        (refers(one.field) || (one.field.type === 'list' && refers(one.field.items))),
    );
    const target = refs[path % Math.max(1, refs.length)];
    return target && set(doc, declared, target, variant);
  },
  reorder: (_, declared, { path }) => {
    const lists = listsIn(declared.kind.fields, declared.block);
    const list = lists[path % Math.max(1, lists.length)];
    return list && `reverse a list of ${declared.address}: ${list.reverse().length}`;
  },
  setChoice: (doc, declared, { path, variant }) => {
    const choices = fieldPaths(declared.kind.fields).filter(({ chain }) =>
      chain.some((one) => one.write === 'create' || (one.type === 'object' && one.exactlyOne)),
    );
    const target = choices[path % Math.max(1, choices.length)];
    return target && set(doc, declared, target, variant);
  },
  toggleModule: (doc, declared, { path, variant }) => {
    const modules = fieldPaths(declared.kind.fields).filter(
      ({ chain }) => chain.length === 2 && chain[0]?.module === true,
    );
    const switches = modules.filter(({ field }) => field.type === 'boolean' && field.default !== undefined);
    const target = switches[path % Math.max(1, switches.length)];
    return target && set(doc, declared, target, variant);
  },
  removeField: (_, declared, { path }) => {
    const present = fieldPaths(declared.kind.fields).filter((one) => isSet(declared.block, one.path));
    const target = present[path % Math.max(1, present.length)];
    return target && removeField(declared.kind, declared.block, target)
      ? `remove ${declared.address} ${target.path.join('.')}`
      : undefined;
  },
  setField: (doc, declared, { path, variant }) => set(doc, declared, choosePath(declared.kind, path), variant),
  renameMoved: (doc, declared, { other }) => rename(doc, declared, { name: `m${other % 3}`, isMoved: true }),
  rename: (doc, declared, { other }) => rename(doc, declared, { name: `r${other % 3}`, isMoved: false }),
  addObject: (doc, _, { at, other, path, variant }) => {
    const recipe = { kind: path, parent: other, variant, fields: [{ path, variant: at }], lifecycle: 0 };
    const made = addObject(doc, recipe);
    return made && `add ${made.address}`;
  },
  removeObject: (doc, declared) => remove(doc, declared, 'remove'),
  release: (doc, declared) => {
    if (declared.parent !== undefined) return undefined;
    const done = remove(doc, declared, 'release');
    const entry = { from: declared.address, destroy: false };
    if (done !== undefined) doc['removed'] = [...((doc['removed'] as Json[] | undefined) ?? []), entry];
    return done;
  },
  lifecycle: (_, declared, { path }) => {
    const lifecycle = lifecycleOf(declared.kind.name, 33 + (path % 7), declared.block);
    if (lifecycle === undefined) delete declared.block['lifecycle'];
    else declared.block['lifecycle'] = lifecycle;
    return `lifecycle of ${declared.address}`;
  },
  secret: (doc, _, { other }) => {
    const name = `secret${other % SECRETS}`;
    const variables = doc['variables'] as Block;
    (variables[name] as Block)['default'] = `other-${other}`;
    return `another value for ${name}`;
  },
} as const satisfies Readonly<Record<string, Edit>>;

export type EditName = keyof typeof EDITS;

/** The document after the edits; those that do not apply are skipped. */
export function applyEdits(
  first: Block,
  recipes: readonly EditRecipe[],
  without: readonly EditName[],
): { readonly second: Block; readonly names: readonly string[] } {
  const second = structuredClone(first);
  const all: [string, Edit][] = Object.entries(EDITS);
  const allowed = all.filter(([name]) => !without.some((one) => one === name));
  const names = recipes.flatMap((recipe) => edit(second, recipe, allowed) ?? []);
  return { second, names };
}

/** The edit that the recipe names, on the first object that it fits; else the next edit. */
function edit(doc: Block, recipe: EditRecipe, edits: readonly [string, Edit][]): string | undefined {
  for (let turn = 0; turn < edits.length; turn++) {
    const chosen = edits[(recipe.op + turn) % edits.length]?.[1];
    const found = objectsOf(doc);
    for (let step = 0; step < found.length; step++) {
      const done = chosen?.(doc, found[(recipe.at + step) % found.length]!, recipe);
      if (done !== undefined) return done;
    }
  }
  return undefined;
}

function set(doc: Block, declared: Declared, target: FieldPath, variant: number): string | undefined {
  const values = documentValues(doc, declared);
  return setField(declared.kind, declared.block, target, variant, values)
    ? `set ${declared.address} ${target.path.join('.')}`
    : undefined;
}

function remove(doc: Block, declared: Declared, word: string): string | undefined {
  if (objectsOf(doc).length < 2) return undefined;
  delete declared.section[declared.name];
  withoutReferences(doc, declared.address);
  return `${word} ${declared.address}`;
}

function rename(
  doc: Block,
  declared: Declared,
  { name, isMoved }: { name: string; isMoved: boolean },
): string | undefined {
  if (declared.section[name] !== undefined) return undefined;
  return renamed(doc, declared, { name, isMoved });
}

/** Others that compete with the object for one of its unique fields. */
function rivalsOf(doc: Block, declared: Declared, number: number): { name: string; field: Field; found: Declared[] } {
  const unique = uniqueFields(declared.kind);
  const [name, field] = unique[number % Math.max(1, unique.length)] ?? ['', undefined];
  if (field === undefined) return { name, field: managedKinds[0]!.fields['id']!, found: [] };
  const found = objectsOf(doc).filter(
    (other) =>
      other.address !== declared.address &&
      other.kind.fields[name]?.unique === field.unique &&
      (field.unique === 'service' ||
        (other.kind === declared.kind && other.parent?.address === declared.parent?.address)),
  );
  return { name, field, found };
}

/** The other one takes the value; where one is required, the object gets a new one. */
function give(
  doc: Block,
  declared: Declared,
  { to, name, field }: { readonly to: Declared; readonly name: string; readonly field: Field },
): string | undefined {
  const value = declared.block[name];
  if (value === undefined) return undefined;
  if (isList(value)) {
    const [first, ...rest] = value;
    if (first === undefined) return undefined;
    declared.block[name] = rest;
    to.block[name] = [...textsIn(to.block[name]), first];
  } else {
    const used = taken(doc, declared, name, field);
    const fresh = Array.from({ length: 12 }, (_, index) => poolText(field, index)).find(
      (text) => !used.has(text.toLowerCase()),
    );
    if (fresh === undefined) return undefined;
    to.block[name] = value;
    declared.block[name] = fresh;
  }
  return `move ${name} from ${declared.address} to ${to.address}`;
}

function refers(field: Field): boolean {
  return field.type === 'string' && field.ref !== undefined;
}

function listsIn(fields: Fields, value: Json | undefined): Json[][] {
  if (!isObject(value)) return [];
  return Object.entries(fields).flatMap(([name, field]): Json[][] => {
    const item = value[name];
    if (field.type === 'list' && isList(item) && item.length > 1) return [item as Json[]];
    return field.type === 'object' ? listsIn(field.fields, item) : [];
  });
}
