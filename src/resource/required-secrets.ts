// Secrets that a live object must have by the specification, although the service does not return them.

import { isValueObject, revealed, type ValueObject } from '../core/value.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { brokenRules, type Kind } from '../catalog/kind.ts';
import { allFields, fieldEntries, perTable } from '../catalog/walk.ts';

/** Dotted paths of secrets that are missing in `spec` and required: by their field or by a rule. */
export function requiredSecrets(kind: Kind, spec: ValueObject): string[] {
  const gaps = gapsIn(kind.fields, spec, []);
  if (gaps.length === 0) return [];
  return gaps
    .filter(({ path, required }) => required || isDemanded(kind, spec, path))
    .map(({ path }) => path.join('.'));
}

interface Gap {
  readonly path: readonly string[];
  readonly required: boolean;
}

function gapsIn(fields: Fields, spec: ValueObject, above: readonly string[]): Gap[] {
  return secretHolders(fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (isSecret(field))
      return value === undefined ? [{ path: [...above, name], required: field.required === true }] : [];
    return field.type === 'object' && isValueObject(value) ? gapsIn(field.fields, value, [...above, name]) : [];
  });
}

const secretHolders = perTable((fields) =>
  fieldEntries(fields).filter(
    ([, field]) =>
      isSecret(field) || (field.type === 'object' && allFields(field.fields).some((one) => isSecret(one.field))),
  ),
);

function isSecret(field: Field): boolean {
  return field.sensitive === true && field.write !== 'never';
}

/** True when some text at the path would fix a broken rule (§7). */
function isDemanded(kind: Kind, spec: ValueObject, path: readonly string[]): boolean {
  const broken = countBrokenRules(kind, spec);
  return broken > 0 && countBrokenRules(kind, withText(spec, path)) < broken;
}

function countBrokenRules(kind: Kind, spec: ValueObject): number {
  return brokenRules(kind, revealed(given(spec))).length;
}

/** The values without empty texts, which mean absent. */
function given(spec: ValueObject): ValueObject {
  const entries = Object.entries(spec).filter(([, item]) => item !== '');
  return Object.fromEntries(entries.map(([name, item]) => [name, isValueObject(item) ? given(item) : item]));
}

function withText(spec: ValueObject, [name = '', ...rest]: readonly string[]): ValueObject {
  const inner = spec[name];
  return { ...spec, [name]: rest.length > 0 && isValueObject(inner) ? withText(inner, rest) : 'some text' };
}
