// Checks a manifest document against the compiled schema; the validator's errors become problems in our words, one per place.
// Lengths are left to the loader, which measures decoded text. Never repeats values of sensitive fields.

import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { valueAt } from '../core/value.ts';
import { lazy } from '../core/lazy.ts';
import { nearest, questionOf } from '../core/text/closest.ts';
import { kinds } from '../catalog/kinds/index.ts';
import { validate } from './compiled-manifest.mjs';
import { manifestSchema } from './generate.ts';
import { ALSO, FORM } from './hints.ts';
import { fixOfUnknown } from './fix-unknown.ts';
import { fixOfKey, otherFormatOf, type OtherFormat } from './habits.ts';
import { fixOfDeeper, fixOfElsewhere, fixOfMap, schemaAt } from './other-depth.ts';
import { fixOfEntry } from './fix-type.ts';
import { headOf, show, safeKey } from './describe-value.ts';
import type { SchemaLocation } from './location.ts';
import type { SchemaProblem } from './schema-problems.ts';
import { hiddenIn, wrongForm, wrongType, wrongValue } from './schema-problems.ts';

interface RawError {
  /** Set on errors about a key's name; `propertyNames` repeats these, and we word them ourselves. */
  readonly propertyName?: string;
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const schemaOfManifests = lazy(() => manifestSchema(kinds));

/** The source text of the number at a path, if it is not in JSON notation. */
export type NumberText = (path: readonly string[]) => string | undefined;

/** What messages call a manifest. */
const MANIFEST = 'the manifest';

/** Most problems of one document that are described: more of them help nobody, and each costs as much as a block that is right. */
export const MAX_SCHEMA_PROBLEMS = 1_000;

/**
 * The problems of the document, in the validator's order, at most one per place and kind of error, and one more than
 * `MAX_SCHEMA_PROBLEMS` at most.
 */
export function validateManifestDocument(document: Json, numberText: NumberText = () => undefined): SchemaProblem[] {
  const other = isObject(document) ? otherFormatOf(document) : undefined;
  if (other !== undefined) return [otherFormat(other)];
  return schemaProblems(validate, schemaOfManifests, { document, numberText, called: MANIFEST });
}

function otherFormat({ name, fix }: OtherFormat): SchemaProblem {
  return { path: [], code: 'other-format', message: `this is ${name}, not a manifest`, fix };
}

/** The same for a document with this validator and this schema. */
export function schemaProblems(
  isValid: typeof validate,
  schemaOf: () => JsonObject,
  source: Omit<ValidationContext, 'schema'>,
): SchemaProblem[] {
  if (isValid(source.document)) return [];
  const context = { ...source, schema: schemaOf() };
  const problems = new Map<string, SchemaProblem>();
  for (const error of [...(isValid.errors ?? [])].sort((a, b) => rank(a) - rank(b))) {
    const problem = translate(error, context);
    if (problem === undefined) continue;
    const what = problem.code === 'unknown-field' ? 'unknown' : `lacks ${problem.missing ?? ''}`;
    const place = [...problem.path, what].join('\0');
    if (!problems.has(place)) problems.set(place, problem);
    if (problems.size > MAX_SCHEMA_PROBLEMS) break;
  }
  return [...problems.values()];
}

/** A wrong type explains other errors at the same place; enum is more specific than the pattern next to it. */
function rank(error: RawError): number {
  return ['type', 'enum', 'const'].indexOf(error.keyword) + 1 || 4;
}

interface ValidationContext {
  readonly document: Json;
  /** What messages call it. */
  readonly called: string;
  readonly schema: JsonObject;
  readonly numberText: NumberText;
}

function translate(
  { instancePath, keyword, params, propertyName }: RawError,
  context: ValidationContext,
): SchemaProblem | undefined {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const value = valueAt(context.document, path);
  const { called } = context;
  const text = context.numberText(path) ?? textOf(value);
  const around = path.slice(0, -1);
  const parent = { schema: schemaAt(context.schema, around), value: valueAt(context.document, around) };
  const at = { path, schema: schemaAt(context.schema, path), value, parent, text, called };
  const name = nameOf(path, called);
  if (propertyName !== undefined && keyword !== 'propertyNames') return undefined;
  const hidden = ['pattern', 'enum', 'const'].includes(keyword) ? hiddenIn(at) : undefined;
  if (hidden !== undefined) return hidden;
  switch (keyword) {
    case 'additionalProperties':
      return unknownField(at, String(params['additionalProperty']), context);
    case 'required': {
      const missing = String(params['missingProperty']);
      const message = `"${missing}" is missing in ${placeOf(path, called)}`;
      return { path, code: 'missing-field', message, expected: missing, fix: `add "${missing}"`, atKey: true, missing };
    }
    case 'type':
      return wrongType(at, name);
    case 'enum':
    case 'const':
      return wrongValue(at, name, params);
    case 'pattern':
      return wrongForm(at, name);
    case 'propertyNames':
      return wrongName(at, String(params['propertyName']));
    default:
      return outsideLimits(keyword, at, name);
  }
}

/** An invalid name; for a map with free names, the schema describes their form. */
function wrongName({ path, schema: { propertyNames } }: SchemaLocation, given: string): SchemaProblem {
  const form = isObject(propertyNames) ? propertyNames[FORM] : undefined;
  return {
    path: [...path, given],
    code: 'bad-name',
    message: `"${safeKey(given)}" cannot be a name`,
    expected:
      typeof form === 'string' ? form : 'letters, digits, _ and -, not starting with a digit, at most 200 characters',
    fix: fixOfName(headOf(given), typeof form === 'string' ? '-' : '_'),
    atKey: true,
  };
}

function fixOfName(name: string, between: string): string {
  if (name.includes('${')) return 'write the name itself: nothing is filled into names';
  const made = name.replace(/[^A-Za-z0-9_-]+/g, between).replace(/^[\d_-]+/, '');
  return /[A-Za-z0-9]/.test(made) ? `for example "${made.slice(0, 60)}"` : 'choose another name';
}

function outsideLimits(keyword: string, at: SchemaLocation, name: string): SchemaProblem | undefined {
  const { path, schema, value } = at;
  switch (keyword) {
    case 'minimum':
    case 'maximum':
      return {
        path,
        code: 'out-of-range',
        message: `${name} is out of range`,
        expected: rangeOf(schema),
        got: show(at),
        fix: 'use a number in the range',
      };
    case 'minProperties':
    case 'maxProperties':
      // Null members and unknown ones are reported on their own.
      if (keyword === 'maxProperties' && given(value).filter((key) => names(schema).includes(key)).length < 2)
        return undefined;
      return {
        path,
        code: 'choose-one',
        message: `${name} must have exactly one of its keys`,
        expected: `exactly one of ${names(schema).join(', ')}`,
        got: isObject(value) ? safeKeys(Object.keys(value)) || 'none' : 'none',
        fix: keyword === 'minProperties' ? 'add one of them' : 'keep one of them',
        atKey: true,
      };
    default:
      return undefined;
  }
}

function rangeOf(schema: JsonObject): string {
  const low = schema['minimum'];
  const high = schema['maximum'];
  return `${low === undefined ? '' : `at least ${String(low)}`}${low !== undefined && high !== undefined ? ' and ' : ''}${high === undefined ? '' : `at most ${String(high)}`}`;
}

function given(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value).filter((key) => value[key] !== null) : [];
}

function unknownField(at: SchemaLocation, key: string, context: ValidationContext): SchemaProblem {
  return {
    path: [...at.path, key],
    code: 'unknown-field',
    message: `unknown field "${safeKey(key)}" in ${placeOf(at.path, at.called)}`,
    expected: `one of: ${names(at.schema).join(', ')}`,
    ...meantByField(at, key, context),
    atKey: true,
  };
}

/** What to do about an unknown field; the absent one that it probably stands for, if there is only one. */
function meantByField(
  at: SchemaLocation,
  key: string,
  { schema, document }: ValidationContext,
): Pick<SchemaProblem, 'fix' | 'near'> {
  const known = names(at.schema);
  const isThere = (name: string) => isObject(at.value) && Object.hasOwn(at.value, name);
  const habit = habitOf(at, key, known);
  if (habit !== undefined) return { fix: habit };
  const shown = at.path.map((part) => safeKey(part));
  const own = fixOfUnknown(shown, key);
  const deeper = own === undefined ? fixOfDeeper(at, key) : undefined;
  if (deeper !== undefined) return { fix: deeper };
  // A section may occur in several files.
  const likely = known.filter((name) => at.path.length === 0 || !isThere(name));
  const near = nearNames(key, likely, own === undefined);
  const question = askFor(near);
  const [only] = near;
  if (question !== undefined)
    return { fix: question, ...(only !== undefined && near.length === 1 && !isThere(only) && { near: only }) };
  const fix =
    own ??
    fixOfBoth(nearNames(key, known.filter(isThere), false)) ??
    fixOfElsewhere({ schema, value: document }, at.path, key) ??
    `remove "${safeKey(key)}"`;
  return { fix };
}

/** What a key stands for by what lies under it, or as a habit from other tools. */
function habitOf(at: SchemaLocation, key: string, known: readonly string[]): string | undefined {
  const value = isObject(at.value) ? at.value[key] : undefined;
  const isNearOne = nearNames(key, known, false).length > 0;
  const part = isNearOne ? undefined : fixOfPart(at, key, value);
  return part ?? (at.called === MANIFEST ? fixOfKey(key, at.path, value) : undefined);
}

function askFor(near: readonly string[]): string | undefined {
  return questionOf(near.map((name) => `"${name}"`));
}

/** The fix for a key that is an entry of the list before it, or belongs into the map of the block. */
function fixOfPart(at: SchemaLocation, key: string, value: Json | undefined): string | undefined {
  if (at.path.length === 0) return undefined;
  return value === null ? fixOfEntry(at, key) : fixOfMap(at, value);
}

/** The fix for a name that is almost one which the block has, from this text or from what lies under it. */
function fixOfBoth(near: readonly string[]): string | undefined {
  const question = askFor(near);
  return question && `${question} if this very block has both, join them`;
}

/** The names that were probably meant; a value may have run into its key. */
function nearNames(key: string, likely: readonly string[], mayBePart: boolean): readonly string[] {
  const near = nearest(headOf(key), likely);
  return near.length > 0 || !mayBePart ? near : fullNames(key, likely);
}

function safeKeys(keys: readonly string[]): string {
  return keys.map(safeKey).join(', ');
}

/** The only name that contains the key, if there is one: `backend_id` for `id` or `backend`. */
function fullNames(key: string, known: readonly string[]): readonly string[] {
  const found = known.filter((name) => name.startsWith(`${key}_`) || name.endsWith(`_${key}`));
  return found.length === 1 ? found : [];
}

function textOf(value: Json | undefined): string {
  return isObject(value) || isList(value) ? '' : String(value);
}

/** The whole address, because several blocks may have the same name. */
function placeOf(path: readonly string[], called: string): string {
  if (path.length === 0) return called;
  return path
    .map((key, index) => (isIndex(key) && index > 0 ? `[${key}]` : `.${safeKey(key)}`))
    .join('')
    .slice(1);
}

function isIndex(key: string): boolean {
  return /^\d+$/.test(key);
}

/** The last name in a path; a list item is named after its list. */
function nameOf(path: readonly string[], called: string): string {
  const last = path.at(-1);
  if (last === undefined) return called;
  return isIndex(last) ? `${safeKey(path.at(-2) ?? '')}[${last}]` : safeKey(last);
}

function names(schema: JsonObject): string[] {
  const { properties, [ALSO]: also } = schema;
  return [...(isObject(properties) ? Object.keys(properties) : []), ...(isList(also) ? also.map(String) : [])].sort();
}
