// Placeholders of a plan: how values that are secret or known only after apply are written and filled in.
// Filling in is mechanical; nothing is decided here.

import { isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { BugError } from '../core/diagnostic.ts';
import { DOLLAR, escapeText, fillTemplate, tokensOf } from '../core/text/template.ts';
import { trimEndOf } from '../core/text/trim.ts';
import { Secret } from '../core/secrets/secret.ts';
import { Expression, toJson, type Value, type ValueObject } from '../core/value.ts';
import { referenceIn } from '../catalog/address.ts';
import type { Field } from '../catalog/field.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { sentText } from '../catalog/normal-form.ts';
import { pathSegment } from '../catalog/path.ts';
import { mapFieldLeaves } from '../catalog/walk.ts';

/** Where apply finds the values for a request. */
export interface Lookup {
  /** A value of a live or newly created object. */
  readonly attr: (address: string, attr: string) => Json | undefined;
  /** A secret of the manifest (`ADDRESS#PATH`) or of a live object (`live:ID#PATH`), or a secret text with references. */
  readonly secret: (from: string) => Secret | Expression | undefined;
  /** Digest of a field of the request's own body, for the marker. */
  readonly digest: (field: string, value: Value) => string;
}

function escapeBeforePlaceholder(text: string): string {
  const before = trimEndOf(text, DOLLAR);
  return escapeText(before) + `\${${DOLLAR}}`.repeat(text.length - before.length);
}

/** The placeholder for a value of another object. */
export function attributePlaceholder(address: string, attr: string): string {
  return `\${${address}.${attr}}`;
}

const DIGEST = 'digest:';

/** The placeholder for the digest of one of the body's own fields. */
export function digestPlaceholder(field: string): string {
  return `\${${DIGEST}${field}}`;
}

/** A value as plan JSON: secrets and references become placeholders; a secret's placeholder is its origin. */
export function encode(value: Value): Json {
  return toJson(value, (leaf) => {
    if (leaf instanceof Secret) return fromWhere(leaf);
    if (leaf instanceof Expression) return leaf.isSecret ? fromWhere(leaf) : encodeExpression(leaf);
    return typeof leaf === 'string' ? escapeText(leaf) : leaf;
  });
}

/** A field's value as plan JSON, with texts in the form that the service accepts (ADR-0043). */
export function encodeField(field: Field | undefined, value: Value): Json {
  return encode(mapFieldLeaves(value, { field, path: [], place: [] }, sentLeaf));
}

function sentLeaf(leaf: Value, { field }: { readonly field: Field | undefined }): Value {
  return field?.type === 'string' && typeof leaf === 'string' ? sentText(field, leaf) : leaf;
}

function fromWhere({ origin }: Secret | Expression): Json {
  if (origin === undefined) throw new BugError('a request would carry a secret that is found nowhere');
  return { sensitive: true, from: origin };
}

function encodeExpression(value: Expression): string {
  return value.parts
    .map((part, index) => {
      if (typeof part === 'string')
        return index < value.parts.length - 1 ? escapeBeforePlaceholder(part) : escapeText(part);
      if (part instanceof Secret) throw new BugError('a text with a secret inside was taken for plain text');
      return attributePlaceholder(part.address, part.attr);
    })
    .join('');
}

/** Replaces a secret in texts for people. */
export const MASK = { sensitive: true } as const;

/** A value of a change: secrets become `{ "sensitive": true }`, references stay placeholders, and text next to them is escaped. */
export function display(value: Value | undefined): Json {
  return displayed(value ?? null, escapeText);
}

/** A single value; text is not escaped. */
export function displayOutput(value: Value): Json {
  return displayed(value, (text) => text);
}

function displayed(value: Value, textOf: (text: string) => string): Json {
  return toJson(value, (leaf) => {
    if (leaf instanceof Secret) return MASK;
    if (leaf instanceof Expression) return leaf.isSecret ? MASK : encodeExpression(leaf);
    return typeof leaf === 'string' ? textOf(leaf) : leaf;
  });
}

/** A request path with its placeholders filled in, each with one checked segment. */
export function fillPath(path: string, lookup: Lookup): string {
  return fillText(path, (address, attr) => pathSegment(textOf(lookup, address, attr)));
}

export function revealBody(values: ValueObject): JsonObject {
  return toJson(values, (leaf) => {
    if (leaf instanceof Expression) throw new BugError('an expression was left in a filled body');
    return leaf instanceof Secret ? leaf.reveal() : leaf;
  });
}

/**
 * A request body with its placeholders filled in; secrets stay opaque. `before` holds values that earlier requests of the step
 * sent, because the marker covers them, too.
 */
export function fillValues(body: JsonObject, lookup: Lookup, before: ValueObject = {}): ValueObject {
  const filled: Record<string, Value> = {};
  for (const [name, value] of Object.entries(body)) {
    if (name !== METADATA) filled[name] = fillValue(value, lookup);
  }
  const metadata = body[METADATA];
  if (typeof metadata !== 'string') return filled;
  const digest = (field: string) => lookup.digest(field, filled[field] ?? before[field] ?? null);
  return { ...filled, [METADATA]: fillText(metadata, (address, attr) => textOf(lookup, address, attr), digest) };
}

function fillValue(value: Json, lookup: Lookup): Value {
  if (typeof value === 'string') return fillText(value, (address, attr) => textOf(lookup, address, attr));
  if (isList(value)) return value.map((item) => fillValue(item, lookup));
  if (!isObject(value)) return value;
  if (value['sensitive'] === true && typeof value['from'] === 'string') return fillSecret(value['from'], lookup);
  return mapObject(value, (item) => fillValue(item, lookup));
}

function fillSecret(from: string, lookup: Lookup): Secret {
  const found = lookup.secret(from);
  if (found === undefined) throw new BugError(`no secret is known for ${from}`);
  if (found instanceof Secret) return found;
  const text = found.written(
    (secret) => secret.reveal(),
    ({ address, attr }) => textOf(lookup, address, attr),
  );
  return new Secret(text, { origin: from });
}

function fillText(
  text: string,
  attr: (address: string, attr: string) => string,
  digest: (field: string) => string = (field) => digestPlaceholder(field),
): string {
  return fillTemplate(text, (inner, source) => {
    if (inner === DOLLAR) return DOLLAR;
    if (inner.startsWith(DIGEST)) return digest(inner.slice(DIGEST.length));
    const found = referenceIn(inner);
    if (found === undefined) throw new BugError(`the plan holds an unknown placeholder ${source}`);
    return attr(found.address, found.attr);
  });
}

/** What is known of placeholders; undefined for what is not. */
interface PartialLookup {
  readonly attr: (address: string, attr: string) => Json | undefined;
  readonly digest?: (field: string) => string | undefined;
}

/** A text with the placeholders filled in that are known: the text, or with others left its parts, of which `{ is }` is one of them. */
export function partlyFilled(text: string, { attr, digest = () => undefined }: PartialLookup): Json {
  const parts: Json[] = [];
  let literal = '';
  const valueOf = (inner: string): Json | undefined => {
    if (inner === DOLLAR) return DOLLAR;
    if (inner.startsWith(DIGEST)) return digest(inner.slice(DIGEST.length));
    const found = referenceIn(inner);
    return found && attr(found.address, found.attr);
  };
  for (const token of tokensOf(text)) {
    if (token.is === 'text') {
      literal += token.text;
      continue;
    }
    const isPlaceholder = token.isClosed && token.inner !== '';
    const value = isPlaceholder ? valueOf(token.inner) : token.source;
    if (typeof value === 'string') literal += value;
    else {
      parts.push(literal, { is: token.inner });
      literal = '';
    }
  }
  return parts.length === 0 ? literal : [...parts, literal];
}

function textOf(lookup: Lookup, address: string, attr: string): string {
  const value = lookup.attr(address, attr);
  if (typeof value === 'string') return value;
  throw new BugError(`${address}.${attr} is not known as text while a request that needs it is sent`);
}
