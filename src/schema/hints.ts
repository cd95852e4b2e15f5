// Editor hints in a schema: titles and Markdown. They do not change what is accepted. Pure.

import { isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { rulesOf, sourceOf, typeName } from '../catalog/facts.ts';
import type { Field } from '../catalog/field.ts';

/** Key of the description of a pattern, for messages. */
export const FORM = 'x-form';

/** Key of the names that a person may write beside the properties, and that are gone before the rest is judged. */
export const ALSO = 'x-also';

export function hinted(schema: JsonObject, name: string, field: Field): JsonObject {
  const rules = rulesOf(field);
  const title = `${name}: ${typeName(field)}`;
  const markdownDescription = `${field.doc}\n\n${[...rules.map(inMarkdown), sourceOf(field.source)].join(' · ')}`;
  const [known, other] = isList(schema['anyOf']) ? schema['anyOf'] : [];
  if (!isObject(known) || !isObject(other)) return { ...schema, title, markdownDescription };
  // Editors merge choices with the same title, and then show all of them instead of the field.
  const anyOf = [
    { ...known, title },
    { ...other, title: `${title}, another value` },
  ];
  return { ...schema, title, markdownDescription, anyOf };
}

/** Literal text: nothing in it is markup. */
function inMarkdown(words: string): string {
  return words.replace(/[\\`*_<>[\]]/g, '\\$&');
}

/** The schema with the matching `explain` command at each key and block. */
export function withExplain(schema: JsonObject, path: readonly string[] = []): JsonObject {
  const { properties, items, additionalProperties: named, description, markdownDescription, type } = schema;
  const name = path.at(-1);
  const text = markdownDescription ?? description;
  const inside = (one: Json, key?: string) =>
    isObject(one) ? withExplain(one, key === undefined ? path : [...path, key]) : one;
  return {
    ...(name !== undefined && text !== undefined && { title: typeof type === 'string' ? `${name}: ${type}` : name }),
    ...schema,
    ...(name !== undefined &&
      typeof text === 'string' && { markdownDescription: `${text}\n\n\`edgeform explain ${path.join('.')}\`` }),
    ...(isObject(properties) && { properties: mapObject(properties, inside) }),
    ...(isObject(items) && { items: inside(items) }),
    ...(isObject(named) && { additionalProperties: inside(named) }),
  };
}
