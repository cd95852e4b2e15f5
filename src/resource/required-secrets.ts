// Secrets that a live object has although the service does not show them: some value must be there by the specification.

import type { ValueObject } from '../core/value.ts';
import { isValueObject, revealedObject } from '../core/value.ts';
import type { Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { brokenRules } from '../catalog/kind.ts';

/** Dotted paths of secrets that are not in `spec` and that its kind demands: a required one, or one that a rule asks for. */
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
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name];
    const value = Object.hasOwn(spec, name) ? spec[name] : undefined;
    if (field.sensitive && field.write !== 'never')
      return value === undefined ? [{ path, required: field.required === true }] : [];
    return field.type === 'object' && isValueObject(value) ? gapsIn(field.fields, value, path) : [];
  });
}

/** True when some text at the path would mend a broken rule (§7). */
function isDemanded(kind: Kind, spec: ValueObject, path: readonly string[]): boolean {
  return countBrokenRules(kind, withText(spec, path)) < countBrokenRules(kind, spec);
}

function countBrokenRules(kind: Kind, spec: ValueObject): number {
  return brokenRules(kind, revealedObject(given(spec))).length;
}

/** The values without empty texts, which say that nothing is there. */
function given(spec: ValueObject): ValueObject {
  const entries = Object.entries(spec).filter(([, item]) => item !== '');
  return Object.fromEntries(entries.map(([name, item]) => [name, isValueObject(item) ? given(item) : item]));
}

function withText(spec: ValueObject, [name = '', ...rest]: readonly string[]): ValueObject {
  const inner = spec[name];
  return { ...spec, [name]: rest.length > 0 && isValueObject(inner) ? withText(inner, rest) : 'some text' };
}
