// Every place of the catalogue that takes text, with a value that fits it and reads like nothing else.
// Knows nothing of the planner or of what the loader makes of it.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Field, Fields, StringField } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import { hasForm } from '../../src/catalog/text-limits.ts';
import type { FieldPath } from './samples.ts';
import { fieldPaths, manifestWith, sample, specsWith } from './samples.ts';

type Mutable = { [key: string]: Json };

export interface SecretPlace {
  readonly kind: Kind;
  readonly target: FieldPath;
  /** Names, keys and indexes down to the text. */
  readonly path: readonly string[];
  /** What the catalogue says of the text itself; undefined for keys that it does not know. */
  readonly leaf: Field | undefined;
  /** The value of the field, when its text is this one. */
  readonly around: (text: string) => Json;
}

/** Every text, number and switch that a manifest may give. */
export const secretPlaces: readonly SecretPlace[] = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields).flatMap((target) => placesIn(kind, target)),
);

function placesIn(kind: Kind, target: FieldPath): SecretPlace[] {
  const { field, path } = target;
  const at = (below: readonly string[], leaf: Field | undefined, around: SecretPlace['around']): SecretPlace => ({
    kind,
    target,
    path: [...path, ...below],
    leaf,
    around,
  });
  switch (field.type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return [at([], field, (text) => text)];
    case 'map':
      return [at(['x-secret'], undefined, (text) => ({ 'x-plain': 'plain', 'x-secret': text, 'x.dotted': 'more' }))];
    case 'list':
      return field.items.type === 'object'
        ? Object.entries(field.items.fields).flatMap(([name, leaf]) =>
            leaf.write === 'never'
              ? []
              : [at(['1', name], leaf, (text) => [sample(field.items, 1, 'p'), { [name]: text }])],
          )
        : [at(['1'], field.items, (text) => [sample(field.items, 1, 'p'), text])];
    case 'object':
      return field.open === true
        ? [at(['x_free'], undefined, (text) => ({ ...(sample(field, 0, 'p') as JsonObject), x_free: text }))]
        : [];
    default:
      return field satisfies never;
  }
}

/** Texts of which one fits any pattern; the first one has whatever a format escapes. */
function texts(tag: string): string[] {
  return [
    `${tag} "q" <b>&'/é\\+=|`,
    `${tag}"<b>&'/é\\+=|`,
    `/${tag}"<b>&'/é\\+=|`,
    `${tag}.example.com:443`,
    `${tag}.example.com`,
    `bind:${tag}.example.com`,
    `ops@${tag}.example.com`,
    `${tag.replaceAll('-', '_')}.v0`,
    tag,
    'eu',
  ];
}

/** A value for the place; `tag` is a word that stands nowhere else. */
export function secretFor({ leaf }: SecretPlace, tag: string): string {
  if (leaf === undefined) return texts(tag)[0] ?? '';
  // Where there can be no secret, its content does not count.
  if (leaf.type !== 'string' || leaf.values !== undefined) return tag;
  return leaf.ref === undefined ? fitting(leaf, texts(tag)) : idFor(leaf, tag);
}

function fitting(field: StringField, candidates: readonly string[]): string {
  const found = candidates.find((text) => hasForm(field, text));
  if (found === undefined) throw new Error(`no text fits ${field.pattern?.regex ?? ''}`);
  return found;
}

function idFor({ ref }: StringField, tag: string): string {
  const prefix = ref?.prefixes[0] ?? kindByName(ref?.kinds[0] ?? '').idPrefix;
  return `${prefix}${tag.replaceAll('-', '')}`;
}

/** Documents that have the text at the place; the kind's rules decide which of them is valid. */
export function documentsWith({ kind, target, around }: SecretPlace, text: string): JsonObject[] {
  return specsWith(kind, target, 0).map((spec) =>
    manifestWith(kind, withoutLiterals(kind.fields, replaced(spec, target.path, around(text)))),
  );
}

/** Other secrets come from a variable, too: `other`. */
function withoutLiterals(fields: Fields, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => {
      const field = fields[name];
      if (field?.sensitive && !String(value).includes('${')) return [name, '${var.other}'];
      return [name, field?.type === 'object' && isObject(value) ? withoutLiterals(field.fields, value) : value];
    }),
  );
}

function replaced(spec: JsonObject, [head = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = spec[head];
  const made: Mutable = { ...spec };
  made[head] = rest.length > 0 && isObject(inner) ? replaced(inner, rest, value) : value;
  return made;
}

/** The address of the object that `documentsWith` is about. */
export function mainAddress({ kind }: SecretPlace): string {
  if (kind.parent === undefined) return `${kind.manifestKey}.main`;
  return `${kindByName(kind.parent.kind).manifestKey}.home.${kind.manifestKey}.main`;
}

/** Every form in which a secret may be written somewhere. */
export function formsOf(secret: string): string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    encodeURIComponent(secret),
    encodeURI(secret),
    html,
    quoted,
    quoted.replaceAll("'", '&#39;'),
    Buffer.from(secret, 'utf8').toString('base64'),
    Buffer.from(secret, 'utf8').toString('base64url'),
  ];
}
