// Names of the fields that hold secrets, for texts that are no values of fields: broken YAML, and keys that nobody knows.

import type { Field, Fields } from './field.ts';
import { kinds } from './kinds/index.ts';

/** Of every kind, modules included, and of variables. */
export const sensitiveNames: readonly string[] = [
  ...new Set(['default', ...kinds.flatMap((kind) => sensitiveIn(kind.fields))]),
];

/** Names of kinds and of their fields that hold no secret. */
export const plainNames: ReadonlySet<string> = new Set(
  kinds
    .flatMap((kind) => [kind.manifestKey, ...allNames(kind.fields)])
    .filter((name) => !sensitiveNames.includes(name)),
);

/** More letters than this make another word of a name. */
const ENDING = 3;

/** The name of a secret that a word begins with and is too long for: the rest may be the secret. */
export function secretNameIn(word: string): string | undefined {
  if (plainNames.has(word)) return undefined;
  return sensitiveNames.find(
    (name) =>
      word.startsWith(name) && word.length - name.length > ENDING && /^[A-Za-z0-9-]/.test(word.slice(name.length)),
  );
}

function sensitiveIn(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.sensitive ? [name] : []),
    ...sensitiveIn(below(field)),
  ]);
}

function allNames(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [name, ...allNames(below(field))]);
}

function below(field: Field): Fields {
  if (field.type === 'object') return field.fields;
  return field.type === 'list' && field.items.type === 'object' ? field.items.fields : {};
}
