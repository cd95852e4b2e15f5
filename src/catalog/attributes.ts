// Which values of an object can be referred to and shown: the read-only ones, never secrets.

import type { Fields } from './field.ts';

/** Read-only values by dotted path, without secrets. */
export function attributesOf(fields: Fields, above = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.sensitive) return [];
    if (field.write === 'never') return [`${above}${name}`];
    return field.type === 'object' ? attributesOf(field.fields, `${above}${name}.`) : [];
  });
}
