// Schemas of keys that belong to no kind → members of TypeScript interfaces. Pure.

import { isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { docLines, listOf, literal, type Member } from './type-members.ts';

/** The schema at a path of keys of schemas. */
export function schemaIn(schema: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((at, key) => asObject(at[key]), schema);
}

/** The properties of a schema, or those named. */
export function membersOfSchema(schema: JsonObject, names?: readonly string[]): Member[] {
  const properties = asObject(schema['properties']);
  const required = isList(schema['required']) ? schema['required'] : [];
  return (names ?? Object.keys(properties)).map((name) => {
    const property = asObject(properties[name]);
    return { name, isRequired: required.includes(name), type: typeOfSchema(property), doc: docOf(property) };
  });
}

function docOf({ description, examples }: JsonObject): string[] {
  return docLines(typeof description === 'string' ? description : '', [], isList(examples) ? examples : []);
}

function typeOfSchema(schema: JsonObject): string {
  const { const: constant, enum: values, type } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (isList(values)) return values.map((value) => literal(String(value))).join(' | ');
  const types = isList(type) ? type : [type ?? null];
  return types.map((name) => typeOfName(name, schema)).join(' | ');
}

function typeOfName(name: Json, schema: JsonObject): string {
  if (name === 'string' || name === 'number' || name === 'boolean') return name;
  if (name === 'array') return listOf(typeOfSchema(asObject(schema['items'])));
  throw new Error(`there is no type for ${JSON.stringify(name)} in ${JSON.stringify(schema)}`);
}

function asObject(json: Json | undefined): JsonObject {
  return isObject(json) ? json : {};
}
