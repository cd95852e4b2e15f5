// Which values of an object can be referred to and shown: read-only ones, never secrets.

import type { Field, Fields } from './field.ts';

/** Read-only values by dotted path; secrets are none. */
export function attributesOf(fields: Fields, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.sensitive) return [];
    if (field.write === 'never') return [`${above}${name}`];
    return field.type === 'object' ? attributesOf(field.fields, `${above}${name}.`) : [];
  });
}

/** Most characters of a value that only the service knows yet, where the catalogue says nothing else (ADR-0004). */
const LONGEST = 64;

/** Most characters of a read-only value: an assumption that text around it has to leave room for. */
export function longestOf(field: Field | undefined): number {
  return field?.type === 'string' ? (field.longest ?? LONGEST) : LONGEST;
}
