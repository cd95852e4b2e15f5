// Length limits of text with references (§8), as far as its values are known: the service judges the rest.

import { Secret } from '../../core/secrets/secret.ts';
import { plural } from '../../core/text/text.ts';
import { Expression, type Value, type ValueObject } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Field, StringField } from '../../catalog/field.ts';
import { textLimit } from '../../catalog/text-limits.ts';
import { eachFieldLeaf } from '../../catalog/walk.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { PlanDiagnostic } from '../plan.ts';

/** Every text of a resource that is longer than its field allows, except metadata, which includes its marker. */
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
  const length = measure(knownText(leaf));
  if (length <= most) return undefined;
  const limit = `at most ${plural(most, unit)} are allowed`;
  return `${what} is ${plural(length, unit)} long with the values that it refers to, and ${limit}; shorten it by ${length - most}`;
}

/** The text without values that are known only after apply. */
export function knownText(leaf: Value): string {
  if (leaf instanceof Secret) return leaf.reveal();
  if (!(leaf instanceof Expression)) return typeof leaf === 'string' ? leaf : '';
  return leaf.written(
    (secret) => secret.reveal(),
    () => '',
  );
}
