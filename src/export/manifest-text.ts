// A manifest as JSON → its text, in the form of `fmt`: the keys in their order, a map on several lines, a short list on one.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByManifestKey } from '../catalog/lookup.ts';
import { FIRST_IN_BLOCK, FIRST_KEYS, LAST_AT_TOP, placeOfKey } from '../catalog/order.ts';
import { ADD } from '../catalog/reuse-keys.ts';
import { fieldOf, fieldsIn } from '../catalog/walk.ts';
import { yamlLines, type Tree, type TreeEntry } from './yaml.ts';

/** The text of a manifest, or of an overlay; `fmt` leaves it as it is. */
export function manifestText(document: JsonObject): string {
  return `${yamlLines(documentEntries(document)).join('\n')}\n`;
}

/** The sections of a manifest, and of what an overlay adds. */
function documentEntries(document: JsonObject): TreeEntry[] {
  const write = (value: Json, key: string): Tree => {
    const kind = kindByManifestKey(key);
    if (key === ADD && isObject(value)) return { entries: documentEntries(value) };
    return kind === undefined ? treeOf(value) : sectionTree(kind, value);
  };
  return inOrder(document, FIRST_KEYS, write, LAST_AT_TOP);
}

function sectionTree(kind: Kind, section: Json): Tree {
  return treeOf(section, (block) => blockTree(kind, block));
}

function blockTree(kind: Kind, block: Json): Tree {
  if (!isObject(block)) return treeOf(block);
  const children = new Map(childKinds(kind).map((child) => [child.manifestKey, child]));
  const entries = inOrder(block, [...FIRST_IN_BLOCK, ...Object.keys(kind.fields)], (value, key) => {
    const child = children.get(key);
    return child === undefined ? fieldTree(fieldsIn(fieldOf(kind.fields, key)), value) : sectionTree(child, value);
  });
  return { entries };
}

/** A value with these fields, or a list of such values. */
function fieldTree(fields: Fields, value: Json): Tree {
  const names = Object.keys(fields);
  // A map with names of the user's.
  if (names.length === 0) return treeOf(value);
  if (isList(value)) return value.map((item) => fieldTree(fields, item));
  if (!isObject(value)) return value;
  return { entries: inOrder(value, names, (inner, key) => fieldTree(fieldsIn(fieldOf(fields, key)), inner)) };
}

function inOrder(
  map: JsonObject,
  first: readonly string[],
  write: (value: Json, key: string) => Tree,
  last: readonly string[] = [],
): TreeEntry[] {
  const place = placeOfKey(first, last);
  return Object.entries(map)
    .sort(([one], [other]) => place(one) - place(other))
    .map(([key, value]) => ({ key, value: write(value, key) }));
}

/** A value in the order in which it is given. */
export function treeOf(value: Json, write: (member: Json) => Tree = treeOf): Tree {
  if (isList(value)) return value.map((item) => treeOf(item));
  if (!isObject(value)) return value;
  return { entries: Object.entries(value).map(([key, member]) => ({ key, value: write(member) })) };
}
