// Which texts a field accepts: their length, in the field's own unit (§8), and their form.

import { patternOf } from '../core/text/pattern.ts';
import { byteLength, charLength } from '../core/text/text.ts';
import type { StringField } from './field.ts';
import { isOfForm } from './normal-form.ts';

/** The maximum length of a text. */
export function textLimit({ maxBytes, maxChars }: StringField) {
  if (maxBytes !== undefined) return { most: maxBytes, unit: 'byte', measure: byteLength };
  return { most: maxChars ?? Infinity, unit: 'character', measure: charLength };
}

/** True for a text that is one of a closed set, or matches the pattern and can have the form. */
export function hasForm(field: StringField, text: string): boolean {
  const { values, pattern } = field;
  if (values !== undefined && !values.includes(text)) return false;
  return (pattern === undefined || patternOf(pattern.regex).test(text)) && isOfForm(field, text);
}
