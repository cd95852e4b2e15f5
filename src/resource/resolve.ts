// Fills in references to objects that exist and stay. Other references are known only after apply.

import { mapObject, type Json } from '../core/json.ts';
import { perObject } from '../core/lazy.ts';
import { KnownSecrets } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { Expression, holdsUnknown, isReference, mapLeaves, secretsIn, valueAt } from '../core/value.ts';
import { ID } from '../catalog/fields/common.ts';
import type { LiveResource } from './snapshot.ts';

/** Live objects by address, without those that will be replaced. */
export type KnownObjects = ReadonlyMap<string, LiveResource>;

/** True for a spec with references; cached, because it is called many times for each spec. */
export const isUnresolved = perObject((spec: ValueObject) => holdsUnknown(spec));

/** The spec with every known reference replaced by its value; text with an unknown one stays an expression. */
export function resolveSpec(spec: ValueObject, known: KnownObjects): ValueObject {
  if (!isUnresolved(spec)) return spec;
  return mapObject(spec, (value) => (holdsUnknown(value) ? resolveValue(value, known) : value));
}

export function resolveValue(value: Value, known: KnownObjects): Value {
  return mapLeaves(value, (leaf) => (leaf instanceof Expression ? resolveExpression(leaf, known) : leaf));
}

function resolveExpression(expression: Expression, known: KnownObjects): Value {
  const { isSecret, origin } = expression;
  // Nothing can become known of a variable without a value.
  if (expression.references().length === 0) return expression;
  const parts = expression.parts.map((part) => {
    const live = isReference(part) ? known.get(part.address) : undefined;
    return live === undefined || !isReference(part) ? part : (attribute(live, part.attr) ?? part);
  });
  const [only] = parts;
  const isBare = parts.length === 1 && !isSecret && !(only instanceof Secret);
  if (isBare && only !== undefined && !isReference(only)) return only;
  if (!parts.every(isPart)) return expression;
  if (parts.some(isReference)) return new Expression(parts, { isSecret, origin });
  const text = parts.map((part) => (part instanceof Secret ? part.reveal() : String(part))).join('');
  return isSecret || parts.some((part) => part instanceof Secret) ? new Secret(text, { origin }) : text;
}

type Part = Expression['parts'][number];

function isPart(part: Part | Value): part is Part {
  return typeof part === 'string' || part instanceof Secret || isReference(part);
}

/** `id`, or a read-only value by dotted path; opaque if it repeats a secret of the object. */
export function attribute(live: LiveResource, attr: string): Json | Secret | undefined {
  if (attr === ID) return live.id;
  const value = valueAt(live.computed, attr.split('.'));
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const secrets = secretsIn(live.spec).map((secret) => secret.reveal());
  return secrets.length > 0 && new KnownSecrets(secrets).holds(text) ? new Secret(text, { isCover: true }) : value;
}
