// Editor hints in a schema: titles, Markdown, messages and snippets. They do not change what is accepted. Pure.

import { isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { defaults, limits, notes, sourceOf, typeName } from '../catalog/facts.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';

/** Key of the description of a pattern, for messages. */
export const FORM = 'x-form';

export function hinted(schema: JsonObject, name: string, field: Field): JsonObject {
  const facts = [...notes(field), ...limits(field), ...defaults(field)];
  const title = `${name}: ${typeName(field)}`;
  const markdownDescription = `${field.doc}\n\n${[...facts.map(inMarkdown), sourceOf(field.source)].join(' · ')}`;
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

/** A snippet for a new block: its name, and its required or identifying fields. */
export function skeletonOf(kind: Kind): JsonObject {
  let stop = 1;
  const body = (fields: Fields): JsonObject => {
    const shown = Object.entries(fields).filter(
      ([, { required, unique, write }]) => write !== 'never' && (required === true || unique !== undefined),
    );
    return Object.fromEntries(shown.map(([name, field]) => [name, value(field)]));
  };
  const value = (field: Field): Json => {
    if (field.type === 'list') return [value(field.items)];
    if (field.type !== 'object') return tabStop(++stop, field.examples?.[0]);
    if (field.exactlyOne !== true) return body(field.fields);
    return { [`\${${++stop}|${Object.keys(field.fields).join(',')}|}`]: tabStop(++stop) };
  };
  const block = { [tabStop(1, 'name')]: body(kind.fields) };
  return { label: `new ${kind.title}`, markdownDescription: kind.doc, body: block };
}

/** A tab stop of a snippet, with an example; escapes `$` and `}`, which have a meaning there. */
function tabStop(place: number, example?: Json): string {
  return typeof example === 'string' ? `\${${place}:${example.replace(/[$}\\]/g, '\\$&')}}` : `$${place}`;
}
