// How a value of the right type is written where one of another type stands. Each fix is right when it is followed literally.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { nearest } from '../core/text/closest.ts';
import { isSecret, safeKey } from './describe-value.ts';
import { allTypesOf, isChoice, requiredIn, typesOf, type SchemaLocation } from './location.ts';
import { lacksSpace, written, writtenWithSpace } from './written-value.ts';

const FIX_OF_NO_ENTRY = 'write a value here, or remove the entry';

export function fixOfType(at: SchemaLocation): string {
  const { path, value, schema } = at;
  const types = typesOf(schema);
  if (path.length === 0) return 'begin it with `version: 1` and `stack: NAME`, and write the kinds below';
  if (value === null || value === undefined) return fixOfNothing(at, types);
  if (types.includes('array')) return fixOfList(at);
  return types.includes('object') ? fixOfBlock(at, value) : fixOfScalar(at, types);
}

function isEntry(path: SchemaLocation['path']): boolean {
  return /^\d+$/.test(path.at(-1) ?? '');
}

/** The assignment to the key at the end of the path, or the value alone for an entry of a list. */
function assignment({ path }: SchemaLocation, text: string): string {
  return `\`${isEntry(path) ? '' : `${safeKey(path.at(-1) ?? '')}: `}${text}\``;
}

/** A key without a value: one that the block must have, one that another excludes, or one that may be left out. */
function fixOfNothing(at: SchemaLocation, types: readonly string[]): string {
  const { path, parent, schema } = at;
  const own = path.at(-1) ?? '';
  if (isEntry(path)) return FIX_OF_NO_ENTRY;
  if (isChoice(parent.schema) && othersIn(parent.value, own).length > 0) return `remove "${safeKey(own)}"`;
  const required = requiredIn(schema);
  if (required.length === 0) return `write ${assignment(at, emptyOf(types))}`;
  const isOptional =
    isFieldOf(parent.schema, own) && !requiredIn(parent.schema).includes(own) && !isChoice(parent.schema);
  return `${isOptional ? `remove "${safeKey(own)}", or ` : ''}write it as a block with ${required.join(', ')}`;
}

function othersIn(block: Json | undefined, own: string): string[] {
  return isObject(block) ? Object.keys(block).filter((key) => key !== own && block[key] !== null) : [];
}

function isFieldOf({ properties }: JsonObject, name: string): boolean {
  return isObject(properties) && Object.hasOwn(properties, name);
}

/** The list that was probably meant. */
function fixOfList(at: SchemaLocation): string {
  const { schema, value } = at;
  const meant = meantBy(at);
  const text = meant === undefined ? undefined : written(schema, meant);
  if (text !== undefined) return `write ${assignment(at, text)}`;
  if (typeof value === 'string' && /^[\s,[\]]*$/.test(value)) return `write ${assignment(at, '[VALUE]')}, or remove it`;
  const entry = isObject(value) && typesOf(itemsOf(schema)).includes('object') ? '{ KEY: VALUE }' : 'VALUE';
  return `write ${assignment(at, `[${entry}]`)}, with what stands here between the brackets`;
}

/** What stands in place of a list, with the entries that YAML has made keys. */
function meantBy({ path, schema, value, parent }: SchemaLocation): Json | undefined {
  if (isObject(value)) return entriesByName(schema, value) ?? value;
  const rest = bareListsIn(parent).get(path.at(-1) ?? '') ?? [];
  return value === undefined || rest.length === 0 ? value : [value, ...rest];
}

function itemsOf({ items }: JsonObject): JsonObject {
  return isObject(items) ? items : {};
}

/** The entries of a list that is written as a block of them by their names. */
function entriesByName(schema: JsonObject, value: JsonObject): readonly JsonObject[] | undefined {
  if (!isFieldOf(itemsOf(schema), 'name')) return undefined;
  const blocks = Object.entries(value).map(([name, block]) => (isObject(block) ? { name, ...block } : undefined));
  return blocks.every((block) => block !== undefined) ? blocks : undefined;
}

/** More keys than these behind a field are no list that somebody wrote without its brackets. */
const MOST_ENTRIES = 20;

/** The keys behind each field of a block. */
type BareLists = ReadonlyMap<string, readonly string[]>;

/** By block: each of its keys may be a problem that asks. */
const bareListsByBlock = new WeakMap<JsonObject, BareLists>();

/**
 * Fields with a single value in place of a list, and the keys without a value right behind each, which belong to the list: YAML reads
 * `{ hostports: a, b }` as a field and a key. The name of a field, or almost one, is none of it.
 */
function bareListsIn({ schema, value: block }: SchemaLocation['parent']): BareLists {
  if (!isObject(block)) return new Map();
  const lists = bareListsByBlock.get(block) ?? findBareLists(schema, block);
  bareListsByBlock.set(block, lists);
  return lists;
}

function findBareLists({ properties }: JsonObject, block: JsonObject): BareLists {
  const fields = isObject(properties) ? properties : {};
  const names = Object.keys(fields);
  const lists = new Map<string, string[]>();
  let field = '';
  for (const [key, value] of Object.entries(block)) {
    const entries = lists.get(field);
    if (entries !== undefined && value === null && nearest(key, names).length === 0) {
      entries.push(key);
      if (entries.length > MOST_ENTRIES) lists.delete(field);
      continue;
    }
    field = key;
    if (isSingle(value) && takesList(fields, key)) lists.set(key, []);
  }
  return lists;
}

function isSingle(value: Json): boolean {
  return value !== null && typeof value !== 'object';
}

function takesList(fields: JsonObject, name: string): boolean {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return isObject(field) && allTypesOf(field).includes('array');
}

/** The fix for an unknown key without a value, if it belongs to the list of a field before it. */
export function fixOfEntry({ schema, value: block, ...at }: SchemaLocation, key: string): string | undefined {
  const parent = { schema, value: block };
  const [field] = [...bareListsIn(parent)].find(([, entries]) => entries.includes(key)) ?? [];
  const { properties } = schema;
  const list = field !== undefined && isObject(properties) ? properties[field] : undefined;
  if (field === undefined || !isObject(list) || !isObject(block)) return undefined;
  return fixOfList({ ...at, path: [...at.path, field], schema: list, value: block[field], parent });
}

/** How a block is written where there is something else. */
function fixOfBlock(at: SchemaLocation, value: Json): string {
  const { schema } = at;
  const entry = schema['additionalProperties'];
  if (lacksSpace(schema, value)) {
    const block = writtenWithSpace(schema, value);
    return block === undefined ? 'put a space after the ":"' : `write ${assignment(at, block)}`;
  }
  if (isObject(entry)) return `give each entry a name: NAME: ${emptyOf(typesOf(entry))}`;
  // Nothing of the value is shown: it may be a secret.
  if (isVariable(schema)) return `write ${assignment(at, '{ default: VALUE }')}`;
  const required = requiredIn(schema);
  const text = written(schema, value) ?? choiceOf(schema, value);
  if (text !== undefined) return `write ${assignment(at, text)}`;
  if (required.length > 0) return `write it as a block with ${required.join(', ')}`;
  return value === true ? `write ${assignment(at, '{}')}` : 'write it as a block';
}

/** The block of a choice, for a text that names what is chosen. */
function choiceOf(schema: JsonObject, value: Json): string | undefined {
  const { properties } = schema;
  if (!isChoice(schema) || typeof value !== 'string' || !isObject(properties)) return undefined;
  const chosen = Object.hasOwn(properties, value) ? properties[value] : undefined;
  if (!isObject(chosen)) return undefined;
  const fields = requiredIn(chosen).map((name) => `${name}: VALUE`);
  return `{ ${value}: ${fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`} }`;
}

/** The declaration of a variable, for which people write its value. */
function isVariable({ properties }: JsonObject): boolean {
  return isObject(properties) && 'default' in properties && 'sensitive' in properties;
}

/** A variable is offered only where one is taken. */
function fixOfScalar({ schema, value, text }: SchemaLocation, types: readonly string[]): string {
  const orVariable = allTypesOf(schema).includes('string') ? ', or "${var.NAME}"' : '';
  if (isObject(value) || isList(value)) return 'write a single value here, not a block or list';
  if (types.includes('boolean')) return `write true or false${orVariable || ': no variable is filled in here'}`;
  if (typeof value === 'number' && types.includes('integer')) return 'write a whole number';
  if (!types.includes('string'))
    return `write a number without quotes${orVariable || ': no variable is filled in here'}`;
  return isSecret(schema) ? 'quote it' : `quote it: "${text}"`;
}

function emptyOf(types: readonly string[]): string {
  return types.includes('object') ? '{}' : types.includes('array') ? '[]' : 'VALUE';
}
