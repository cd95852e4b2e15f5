// How a value of the right type is written where one of another type stands. Each fix is right when it is followed literally.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
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
  const text = value === undefined ? undefined : written(schema, value);
  if (text !== undefined) return `write ${assignment(at, text)}`;
  return `write ${assignment(at, isObject(value) ? '[{ KEY: VALUE }]' : '[VALUE]')}, with what stands here between the brackets`;
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
