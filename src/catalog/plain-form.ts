// Text without what makes no difference to the service: equal texts mean the same, or may not be there twice.

import type { StringField } from './field.ts';

/** The text in lower case where case does not count, and without a final line break where that does not. */
export function plainForm({ caseless, finalBreak }: StringField, text: string): string {
  const whole = finalBreak === 'ignored' ? text.replace(/[\r\n]+$/, '') : text;
  return caseless === true ? whole.toLowerCase() : whole;
}

/** What of the text must be the only one; two that differ in the rest are still in each other's way. */
export function uniqueForm(field: StringField, text: string): string {
  const plain = plainForm(field, text);
  if (field.uniqueStart === undefined) return plain;
  return new RegExp(`^(?:${field.uniqueStart})`).exec(plain)?.[0] ?? plain;
}
