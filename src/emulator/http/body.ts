// Checks request bodies against the catalogue's fields: names, types, limits, who may write what (§4, §7, §8).
// Looks at one body only; rules about other objects are in rules.ts.

import type { Json, JsonObject } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import { byteLength, charLength } from '../../core/text/text.ts';
import { ENABLED } from '../../catalog/fields/common.ts';
import type { Field, Fields, ListField, MapField, ObjectField, StringField } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { isCaseless } from '../normalize.ts';
import { invalid, PROBLEM } from '../problem.ts';

/** Which request a body belongs to. */
type Purpose = 'create' | 'update';

/** The body without nulls, which count as omitted; throws a refusal for the first broken rule. */
export function readBody(kind: Kind, body: JsonObject, purpose: Purpose): JsonObject {
  for (const name of Object.keys(body)) {
    const write = Object.hasOwn(kind.fields, name) ? (kind.fields[name]?.write ?? 'always') : 'never';
    if (write === 'never') throw invalid(PROBLEM.unknownField, `${name} is not a field of this request`);
    if (write !== 'always' && write !== purpose)
      throw invalid(PROBLEM.unknownField, `${name} cannot be given in ${purpose}`);
  }
  const read = readFields(kind.fields, body, '');
  if (purpose === 'create') requireFields(kind.fields, read, '');
  else if (Object.keys(read).length === 0) throw invalid(PROBLEM.nothingToChange, 'the body changes nothing');
  return read;
}

function readFields(fields: Fields, body: JsonObject, above: string): JsonObject {
  const read = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value === undefined || value === null ? [] : [[name, readValue(field, value, above + name)]];
  });
  return Object.fromEntries(read);
}

function requireFields(fields: Fields, read: JsonObject, above: string): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.required && field.write !== 'never' && !Object.hasOwn(read, name)) {
      throw invalid(PROBLEM.badValue, `${above}${name} is required`);
    }
  }
}

function readValue(field: Field, value: Json, path: string): Json {
  switch (field.type) {
    case 'string':
      return readText(field, value, path);
    case 'integer':
    case 'number':
      return readNumber(field, value, path);
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(path, 'true or false');
      return value;
    case 'list':
      return readList(field, value, path);
    case 'map':
      return readMap(field, value, path);
    case 'object':
      return readObject(field, value, path);
    default:
      return field satisfies never;
  }
}

function readText(field: StringField, value: Json, path: string): string {
  if (typeof value !== 'string') throw wrong(path, 'a string');
  if (field.maxBytes !== undefined && byteLength(value) > field.maxBytes)
    throw wrong(path, `at most ${field.maxBytes} bytes`);
  if (field.maxChars !== undefined && charLength(value) > field.maxChars)
    throw wrong(path, `at most ${field.maxChars} chars`);
  if (field.values && !field.values.includes(value) && !(isCaseless(field) && includesCaseless(field.values, value))) {
    throw wrong(path, `one of ${field.values.join(', ')}`);
  }
  if (field.pattern && !new RegExp(field.pattern.regex, 'u').test(value)) throw wrong(path, field.pattern.words);
  if (field.ref && field.ref.isPrefixAssumed !== true && !isReference(field.ref.prefixes, value))
    throw wrong(path, `an id with ${field.ref.prefixes.join(' or ')}`);
  // A mask that is sent back is a client's mistake: it would wipe the secret.
  if (value === '' && (field.required || field.read === 'masked')) throw wrong(path, 'not empty');
  return value;
}

function includesCaseless(values: readonly string[], value: string): boolean {
  return values.some((allowed) => allowed.toLowerCase() === value.toLowerCase());
}

function isReference(prefixes: readonly string[], value: string): boolean {
  return /^\w+$/.test(value) && prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length);
}

function readNumber(field: Field & { readonly type: 'integer' | 'number' }, value: Json, path: string): number {
  const fits = field.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value !== 'number' || !fits) throw wrong(path, field.type === 'integer' ? 'an integer' : 'a number');
  if (value < (field.min ?? -Infinity)) throw wrong(path, `at least ${field.min}`);
  if (value > (field.max ?? Infinity)) throw wrong(path, `at most ${field.max}`);
  return value;
}

function readList(field: ListField, value: Json, path: string): Json {
  if (!isList(value)) throw wrong(path, 'a list');
  if (value.length > (field.maxItems ?? Infinity)) throw wrong(path, `at most ${field.maxItems} items`);
  return value.map((item, index) => readValue(field.items, item, `${path}.${index}`));
}

function readMap(field: MapField, value: Json, path: string): JsonObject {
  if (!isObject(value)) throw wrong(path, 'an object');
  const names = Object.keys(value).map((name) => (field.keys === 'lower' ? name.toLowerCase() : name));
  if (new Set(names).size < names.length) throw wrong(path, 'each name once, whatever its case');
  if (!Object.values(value).every((item) => typeof item === 'string')) throw wrong(path, 'strings by name');
  return value;
}

function readObject(field: ObjectField, value: Json, path: string): JsonObject {
  if (!isObject(value)) throw wrong(path, 'an object');
  const unknown = Object.entries(value).filter(([name]) => !Object.hasOwn(field.fields, name));
  const refused = field.open ? undefined : unknown[0];
  if (refused) throw invalid(PROBLEM.unknownField, `${path}.${refused[0]} is not a field`);
  const reported = Object.keys(value).find((name) => field.fields[name]?.write === 'never');
  if (reported !== undefined) throw invalid(PROBLEM.unknownField, `${path}.${reported} cannot be set`);
  const read = readFields(field.fields, value, `${path}.`);
  // A disabled module serves nothing, so it may lack required parts (ADR-0021).
  const isOff = field.module === true && read[ENABLED] === false;
  if (!isOff) requireFields(field.fields, read, `${path}.`);
  if (field.exactlyOne && Object.keys(read).length !== 1) throw wrong(path, 'exactly one of its fields');
  return { ...Object.fromEntries(unknown.filter(([, item]) => item !== null)), ...read };
}

function wrong(path: string, expected: string) {
  return invalid(PROBLEM.badValue, `${path} must be ${expected}`);
}
