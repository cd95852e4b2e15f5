// Names of the fields that hold secrets, for texts that are no values of fields: broken YAML, and keys that nobody knows.

import { kinds } from '../kinds/index.ts';
import { allFields } from '../walk.ts';

const everyField = kinds.flatMap((kind) => allFields(kind.fields));

/** Of every kind, modules included, and of variables. */
export const sensitiveNames: readonly string[] = [
  ...new Set(['default', ...everyField.flatMap(({ name, field }) => (field.sensitive ? [name] : []))]),
];

/** Names of kinds and of their fields that hold no secret. */
export const plainNames: ReadonlySet<string> = new Set(
  [...kinds.map((kind) => kind.manifestKey), ...everyField.map(({ name }) => name)].filter(
    (name) => !sensitiveNames.includes(name),
  ),
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
