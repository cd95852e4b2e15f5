// Whether a manifest accepts a value unchanged. The service may hold values that a manifest cannot express: text that is too
// long, values newer than the catalogue, names that YAML would change.

import { fieldOf } from '../catalog/walk.ts';
import { isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { patternOf } from '../core/text/pattern.ts';
import { charLength } from '../core/text/text.ts';
import { isValueObject, type Value, type ValueObject } from '../core/value.ts';
import type { Field, ListField, MapField, NumberField, ObjectField, StringField } from '../catalog/field.ts';
import { forbiddenCharacterIn } from '../catalog/fields/forms.ts';
import { isId, idRulesOf } from '../catalog/id.ts';
import { hasForm, textLimit } from '../catalog/text-limits.ts';
import { escapeText } from '../core/text/template.ts';

/** Longer keys need YAML syntax that few people know. */
const MAX_KEY = 1000;

/** True when a manifest may set the field to this value. */
export function accepts(field: Field, value: Value): boolean {
  if (value instanceof Secret)
    return field.sensitive === true
      ? forbiddenCharacterIn(value.reveal()) === undefined
      : accepts(field, value.reveal());
  switch (field.type) {
    case 'string':
      return typeof value === 'string' && acceptsText(field, value);
    case 'integer':
    case 'number':
      return typeof value === 'number' && acceptsNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return isList(value) && acceptsList(field, value);
    case 'map':
      return isValueObject(value) && acceptsMap(field, value);
    case 'object':
      return isValueObject(value) && acceptsObject(field, value);
    default:
      return field satisfies never;
  }
}

function acceptsNumber({ type, min = -Infinity, max = Infinity }: NumberField, value: number): boolean {
  const isExact = Number.isSafeInteger(value) || (type === 'number' && !Number.isInteger(value));
  return isExact && value >= min && value <= max;
}

function acceptsText(field: StringField, text: string): boolean {
  const { most, measure } = textLimit(field);
  if (forbiddenCharacterIn(text, field) !== undefined || measure(text) > most) return false;
  // The schema counts the text as written, with escapes.
  if (charLength(escapeText(text)) > most) return false;
  if (!hasForm(field, text) || (field.required === true && text === '')) return false;
  return field.ref === undefined || idRulesOf(field.ref).some((rule) => isId(rule, text));
}

function acceptsMap(field: MapField, value: ValueObject): boolean {
  const keys = Object.keys(value);
  const named = patternOf(field.names.regex);
  const distinct = new Set(keys.map((key) => (field.keys === 'lower' ? key.toLowerCase() : key)));
  const isNamed = keys.every((key) => acceptsKey(key) && named.test(key));
  return isNamed && distinct.size === keys.length && Object.values(value).every((item) => accepts(field.items, item));
}

function acceptsList(field: ListField, items: readonly Value[]): boolean {
  return items.length <= (field.maxItems ?? Infinity) && items.every((item) => accepts(field.items, item));
}

function acceptsObject(field: ObjectField, value: ValueObject): boolean {
  const names = Object.keys(value);
  if (field.exactlyOne && names.length !== 1) return false;
  const isComplete = Object.entries(field.fields).every(
    ([name, sub]) => !sub.required || sub.write === 'never' || value[name] !== undefined,
  );
  return isComplete && Object.entries(value).every(([name, item]) => acceptsMember(field, name, item));
}

function acceptsMember({ fields }: ObjectField, name: string, item: Value): boolean {
  const sub = fieldOf(fields, name);
  if (sub !== undefined) return accepts(sub, item);
  return acceptsUnknown(name, item);
}

/** The same for a value that the catalogue does not know. */
export function acceptsUnknown(name: string, value: Value): boolean {
  return acceptsKey(name) && acceptsFree(value);
}

/** Values that the catalogue does not know are copied, whatever they are. */
function acceptsFree(value: Value): boolean {
  if (isList(value)) return value.every(acceptsFree);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value === 'string') return forbiddenCharacterIn(value) === undefined;
  if (!isValueObject(value)) return true;
  return Object.entries(value).every(([name, item]) => acceptsKey(name) && item !== null && acceptsFree(item));
}

/** The parser normalises composed characters in keys and rejects duplicates. */
function acceptsKey(key: string): boolean {
  return (
    forbiddenCharacterIn(key) === undefined &&
    key === key.normalize('NFC') &&
    key !== '<<' &&
    key !== '__proto__' &&
    key.length <= MAX_KEY
  );
}
