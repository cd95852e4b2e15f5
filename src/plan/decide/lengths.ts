// Length limits of text with references (§8): checked when the values are known, and before that with their maximum length, so
// that the service rejects nothing half-way through an apply.

import { Secret } from '../../core/secrets/secret.ts';
import { plural } from '../../core/text/text.ts';
import { Expression, type Value, type ValueObject } from '../../core/value.ts';
import { parseAddress } from '../../catalog/address.ts';
import { longestOf } from '../../catalog/attributes.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Field, StringField } from '../../catalog/field.ts';
import { textLimit } from '../../catalog/text-limits.ts';
import { eachFieldLeaf, fieldAt } from '../../catalog/walk.ts';
import type { Kind } from '../../catalog/kind.ts';
import { managedKinds } from '../../catalog/lookup.ts';
import type { PlanDiagnostic } from '../plan.ts';

/** Every text of a resource that is, or may become, longer than its field allows; metadata includes its marker. */
export function tooLong(kind: Kind, address: string, spec: ValueObject): PlanDiagnostic[] {
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    const value = spec[name];
    return value === undefined || name === METADATA ? [] : tooLongIn(field, value, name, address);
  });
}

function tooLongIn(field: Field, value: Value, name: string, address: string): PlanDiagnostic[] {
  const found: PlanDiagnostic[] = [];
  eachFieldLeaf(value, field, (leaf, { field: inner, path }) => {
    if (inner?.type !== 'string') return;
    const problem = problemOf(inner, leaf, `${[name, ...path].join('.')} of ${address}`);
    if (problem !== undefined) found.push({ code: 'too-long', severity: 'error', address, message: problem });
  });
  return found;
}

function problemOf(field: StringField, leaf: Value, what: string): string | undefined {
  const { most, unit, measure } = textLimit(field);
  const length = longest(leaf, measure);
  if (length <= most) return undefined;
  const limit = `at most ${plural(most, unit)} are allowed`;
  return leaf instanceof Expression
    ? `${what} may become ${plural(length, unit)} long with values that are known only after apply, and ${limit}; shorten its own text, or add it once they are known`
    : `${what} is ${plural(length, unit)} long with the values that it refers to, and ${limit}; shorten it by ${length - most}`;
}

function longest(leaf: Value, measure: (text: string) => number): number {
  if (leaf instanceof Secret) return measure(leaf.reveal());
  if (!(leaf instanceof Expression)) return typeof leaf === 'string' ? measure(leaf) : 0;
  return leaf.parts.reduce((sum, part) => {
    if (typeof part === 'string') return sum + measure(part);
    return sum + (part instanceof Secret ? measure(part.reveal()) : longestValue(part.address, part.attr));
  }, 0);
}

/** Maximum length of a value that is not known yet; for an import, whose address names no kind, that of any kind. */
export function longestValue(address: string, attr: string): number {
  const kind = parseAddress(address)?.kind;
  const fields = (kind === undefined ? managedKinds : [kind]).map((one) => fieldAt(one.fields, attr.split('.')));
  return Math.max(...fields.map(longestOf));
}
