// A document as YAML: values as they are, also expressions, which are text.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { yamlLines, type Tree, type TreeEntry } from './yaml.ts';

/** The text of a document, with a final line break. */
export function documentText(document: JsonObject): string {
  return [...yamlLines(entriesOf(document)), ''].join('\n');
}

function entriesOf(map: JsonObject): TreeEntry[] {
  return Object.entries(map).map(([key, value]) => ({ key, value: treeOf(value) }));
}

function treeOf(value: Json): Tree {
  if (isList(value)) return value.map(treeOf);
  return isObject(value) ? { entries: entriesOf(value) } : value;
}
