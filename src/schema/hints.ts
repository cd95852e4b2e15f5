// What editors show beside the rules of a schema: titles, Markdown, messages and skeletons. It changes nothing of what is
// accepted. Pure.

import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject, mapObject } from '../core/json.ts';
import { limits, notes, sourceOf, typeName } from '../catalog/facts.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';

/** Key of the words that say what a pattern means, for messages. */
export const FORM = 'x-form';

/** The schema of a field with title and Markdown. */
export function hinted(schema: JsonObject, name: string, field: Field): JsonObject {
  const given = field.default;
  const facts = [
    ...notes(field),
    ...limits(field),
    ...(given === 'service' ? ['default chosen by the service'] : []),
    ...(typeof given === 'object' ? [`default ${JSON.stringify(given.value)}`] : []),
  ];
  const title = `${name}: ${typeName(field)}`;
  const markdownDescription = `${field.doc}\n\n${[...facts.map(inMarkdown), sourceOf(field.source)].join(' · ')}`;
  const [known, other] = isList(schema['anyOf']) ? schema['anyOf'] : [];
  if (!isObject(known) || !isObject(other)) return { ...schema, title, markdownDescription };
  // Editors take choices of one title for the same, and then show all of them instead of the field.
  const anyOf = [
    { ...known, title },
    { ...other, title: `${title}, another value` },
  ];
  return { ...schema, title, markdownDescription, anyOf };
}

/** Words as they are: nothing in them is markup. */
function inMarkdown(words: string): string {
  return words.replace(/[\\`*_<>[\]]/g, '\\$&');
}

/** The schema with the command that explains it at each key and each block. */
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

/** A block to begin with: its name, and what it needs or is known by. */
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

/** A place that an editor stops at, with an example; `$` and `}` have a meaning there. */
function tabStop(place: number, example?: Json): string {
  return typeof example === 'string' ? `\${${place}:${example.replace(/[$}\\]/g, '\\$&')}}` : `$${place}`;
}
