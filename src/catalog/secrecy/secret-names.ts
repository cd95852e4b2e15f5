// Names of fields that hold secrets, for text that is not a field's value: broken YAML and unknown keys.

import { kinds } from '../kinds/index.ts';
import { allFields } from '../walk.ts';

const everyField = kinds.flatMap((kind) => allFields(kind.fields));

/** From every kind, including modules, and from variables. */
export const sensitiveNames: readonly string[] = [
  ...new Set(['default', ...everyField.flatMap(({ name, field }) => (field.sensitive ? [name] : []))]),
];

/** Names of kinds and of their fields without secrets. */
export const plainNames: ReadonlySet<string> = new Set(
  [...kinds.map((kind) => kind.manifestKey), ...everyField.map(({ name }) => name)].filter(
    (name) => !sensitiveNames.includes(name),
  ),
);

/** A longer suffix makes a different word. */
const ENDING = 3;

/** The name of a secret field that a longer word begins with: the rest may be the secret. */
export function secretNameIn(word: string): string | undefined {
  if (plainNames.has(word)) return undefined;
  return sensitiveNames.find(
    (name) =>
      word.startsWith(name) && word.length - name.length > ENDING && /^[A-Za-z0-9-]/.test(word.slice(name.length)),
  );
}
