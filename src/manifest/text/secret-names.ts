// Names of sensitive fields, and what may stand in their place without being a secret.

import { kinds } from '../../catalog/kinds/index.ts';
import { allFields } from '../../catalog/walk.ts';

const everyField = kinds.flatMap((kind) => allFields(kind.fields));

/** The names of all sensitive fields. */
export const SECRET_NAMES: ReadonlySet<string> = new Set(
  everyField.flatMap(({ name, field }) => (field.sensitive === true ? [name] : [])),
);

const REFERENCE = /^\$\{(?:var\.[\w-]+|file:[\w./-]+|[a-z_]+\.[\w-]+(?:\.[\w-]+)+)\}$/;

/** True for text that only refers to a secret, which is none: a variable, a file or another object. */
export function isPlainReference(text: string): boolean {
  return REFERENCE.test(text);
}
