// Which values of an object can be referred to and shown: the read-only ones, never secrets.

import type { Field, Fields } from './field.ts';

/** Read-only values by dotted path, without secrets. */
export function attributesOf(fields: Fields, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.sensitive) return [];
    if (field.write === 'never') return [`${above}${name}`];
    return field.type === 'object' ? attributesOf(field.fields, `${above}${name}.`) : [];
  });
}

/** Assumed maximum length of a value that only the service knows yet, unless the catalogue says otherwise (ADR-0004). */
const LONGEST = 64;

/** Maximum length of a read-only value, an assumption about the room that references need. */
export function longestOf(field: Field | undefined): number {
  return field?.type === 'string' ? (field.longest ?? LONGEST) : LONGEST;
}
