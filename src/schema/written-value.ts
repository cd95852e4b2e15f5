// A value in the form that a schema wants, as one puts it on one line: right wherever it stands, also between brackets.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { isSecret } from './describe-value.ts';
import { requiredIn, typesOf } from './location.ts';

/** A longer text is easier to bracket than to compare with what one wrote. */
const MAX_LENGTH = 120;

/** The text of the value in the schema's form; undefined for one that has no such form, is secret, or is long. */
export function written(schema: JsonObject, value: Json): string | undefined {
  const text = isSecret(schema) ? undefined : textOf(schema, value);
  return text !== undefined && text.length <= MAX_LENGTH ? text : undefined;
}

function textOf(schema: JsonObject, value: Json): string | undefined {
  if (value === null) return undefined;
  const types = typesOf(schema);
  if (types.includes('string') && typeof value === 'string') return JSON.stringify(value);
  if (types.includes('array')) return listOf(schema, isList(value) ? value : entriesIn(value));
  if (types.includes('object')) return isObject(value) ? blockOf(schema, value) : blockAround(schema, value);
  return isObject(value) || isList(value) ? undefined : scalarOf(types, value);
}

function scalarOf(types: readonly string[], value: string | number | boolean): string {
  return typeof value === 'string' || types.includes('string') ? JSON.stringify(String(value)) : String(value);
}

/** The entries of a list that is one value: the parts of a text between its commas, without brackets around all of them. */
function entriesIn(value: Exclude<Json, null>): readonly Json[] {
  // An expression may have a comma of its own.
  if (typeof value !== 'string' || value.includes('${')) return [value];
  const text = /^\[(.*)\]$/s.exec(value.trim())?.[1] ?? value;
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** Undefined for none: an empty list may open what a list of some restricts. */
function listOf({ items }: JsonObject, values: readonly Json[]): string | undefined {
  if (values.length === 0) return undefined;
  const entries = values.map((value) => (isObject(items) ? written(items, value) : undefined));
  return entries.includes(undefined) ? undefined : `[${entries.join(', ')}]`;
}

function blockOf({ properties }: JsonObject, value: JsonObject): string | undefined {
  const fields = Object.entries(value).map(([name, inner]) => {
    const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const text = isObject(schema) ? written(schema, inner) : undefined;
    return text === undefined ? undefined : `${name}: ${text}`;
  });
  return fields.includes(undefined) || fields.length === 0 ? undefined : `{ ${fields.join(', ')} }`;
}

/**
 * The block for which somebody wrote what its only required field holds, or the only one that is no switch; none for a block with a
 * secret, which may be what was written.
 */
function blockAround(schema: JsonObject, value: Json): string | undefined {
  const { properties } = schema;
  if (!isObject(properties) || typeof value === 'boolean' || lacksSpace(schema, value)) return undefined;
  if (hasSecret(schema)) return undefined;
  const required = requiredIn(schema);
  const fields = required.length > 0 ? required : Object.keys(properties).filter((name) => !isSwitch(properties[name]));
  const [name, ...others] = fields;
  return name === undefined || others.length > 0 ? undefined : blockOf(schema, { [name]: value });
}

function hasSecret(schema: JsonObject): boolean {
  const { properties, items, additionalProperties } = schema;
  const inside = [...(isObject(properties) ? Object.values(properties) : []), items, additionalProperties];
  return isSecret(schema) || inside.some((inner) => isObject(inner) && hasSecret(inner));
}

function isSwitch(schema: Json | undefined): boolean {
  return isObject(schema) && typesOf(schema).includes('boolean');
}

/** Where a text such as `backend_id:bkdhr_1` has its field and what belongs behind it, for a block whose space is missing. */
const WITHOUT_SPACE = /^([\w-]+):([^\s/].*)$/s;

export function lacksSpace({ properties, additionalProperties }: JsonObject, value: Json | undefined): boolean {
  const key = typeof value === 'string' ? WITHOUT_SPACE.exec(value)?.[1] : undefined;
  if (key === undefined) return false;
  return isObject(additionalProperties) || (isObject(properties) && Object.hasOwn(properties, key));
}

/** The block that such a text stands for. */
export function writtenWithSpace(schema: JsonObject, value: Json): string | undefined {
  const [, key, rest] = WITHOUT_SPACE.exec(String(value)) ?? [];
  return key === undefined || rest === undefined ? undefined : written(schema, { [key]: rest });
}
