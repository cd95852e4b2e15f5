// Rules about several fields of one resource: the catalogue's own checks (§7), its metadata, keys in its maps.

import { groupBy } from '../../core/group.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { isList, isObject, type JsonObject, type Json } from '../../core/json.ts';
import { SECRET_MASK } from '../../core/secrets/known.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { Value, ValueObject } from '../../core/value.ts';
import { Expression, isValueObject, secretsIn, someLeaf, toJson, valueAt } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { brokenRules, type Kind } from '../../catalog/kind.ts';
import { allFields, perTable } from '../../catalog/walk.ts';
import { markerTraceIn } from '../../resource/marker/marker-codec.ts';
import type { SourceMap } from '../source-map.ts';
import type { StackInput, Located } from '../resources.ts';
import type { UnknownValues } from '../unknown-values.ts';

export function checkRules({ resources, sourceMap, unknownValues }: StackInput): Diagnostic[] {
  return resources.flatMap((one) => [
    ...checkKind(one, sourceMap, unknownValues),
    ...checkMetadata(one, sourceMap),
    ...checkKeys(one, sourceMap),
  ]);
}

/**
 * The spec for the catalogue's checks: secrets in clear text, because their content matters, and text in place of unknown
 * values. An empty secret counts as absent, because that is what a pipeline passes for a secret that it does not have.
 */
function inClear(spec: ValueObject): JsonObject {
  if (!someLeaf(spec, (leaf) => leaf instanceof Expression || leaf instanceof Secret)) return spec as JsonObject;
  return toJson(withoutEmpty(spec), (leaf) =>
    leaf instanceof Expression ? '${…}' : leaf instanceof Secret ? leaf.reveal() : leaf,
  );
}

function withoutEmpty(spec: ValueObject): ValueObject {
  const kept = Object.entries(spec).filter(([, value]) => !isEmptySecret(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, isValueObject(value) ? withoutEmpty(value) : value]));
}

function isEmptySecret(value: Value | undefined): boolean {
  return value instanceof Secret && value.reveal() === '';
}

const EMPTY = { got: 'an empty secret', fix: 'give it a value' };

/** Runs the catalogue's rules; ignores the results of rules that read unknown values. */
function checkKind({ resource, path, kind }: Located, places: SourceMap, unread: UnknownValues): Diagnostic[] {
  if (kind.checks === undefined) return [];
  const spec = inClear(resource.spec);
  const hide = hiding(secretsIn(resource.spec));
  const guessed = (check: NonNullable<Kind['checks']>[number]) => {
    const watched = trackAccess(spec, path, unread);
    const found = brokenRules({ ...kind, checks: [check] }, watched.spec);
    return watched.hasGuessed() ? [] : found;
  };
  const violations = unread.isEmpty() ? brokenRules(kind, spec) : kind.checks.flatMap(guessed);
  return violations.map(({ path: inner, message, expected, got, fix }) =>
    places.error(
      'rule-broken',
      [...path, ...inner.split('.')],
      {
        message: hide(message),
        ...(expected !== undefined && { expected: hide(expected) }),
        ...(got !== undefined && { got: hide(got) === got ? got : 'a sensitive value' }),
        ...(fix !== undefined && { fix: hide(fix) }),
        ...(isEmptySecret(valueAt(resource.spec, inner.split('.'))) && EMPTY),
      },
      resource.address,
    ),
  );
}

function checkMetadata({ resource, path }: Located, places: SourceMap): Diagnostic[] {
  const value = resource.spec[METADATA];
  const marked = value === undefined ? undefined : markerTraceIn(textOf(value));
  if (marked === undefined) return [];
  const words = {
    message: `metadata ${marked}, but only edgeform writes ownership markers`,
    fix: 'remove it, including the key `edgeform` and lines that begin with `edgeform/v1`',
  };
  return [places.error('marker-in-metadata', [...path, METADATA], words, resource.address)];
}

/** The known part of a text; the planner checks what references resolve to. */
function textOf(value: Value): string {
  if (!(value instanceof Expression)) return typeof value === 'string' ? value : '';
  const unknown = () => '${…}';
  return value.written(unknown, unknown);
}

function hiding(secrets: readonly Secret[]): (text: string) => string {
  const texts = secrets.map((secret) => secret.reveal()).filter((text) => text !== '');
  const longestFirst = texts.sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, () => SECRET_MASK), text);
}

const caselessMaps = perTable((fields) =>
  allFields(fields).filter(({ field }) => field.type === 'map' && field.keys === 'lower'),
);

/** Reports map keys that differ only in case, which are the same to the service, such as header names. */
function checkKeys({ resource, path, kind }: Located, places: SourceMap): Diagnostic[] {
  return caselessMaps(kind.fields).flatMap(({ path: inner }): Diagnostic[] => {
    const at = inner.split('.');
    const value = valueAt(resource.spec, at);
    if (!isValueObject(value)) return [];
    return [...groupBy(Object.keys(value), (key) => key.toLowerCase()).values()].flatMap(([first, ...others]) =>
      others.map((key) => {
        const words = {
          message: `"${key}" and "${first}" are the same name, because case is ignored`,
          fix: 'keep one of them',
        };
        return places.errorAtKey('not-unique', [...path, ...at, key], words, resource.address);
      }),
    );
  });
}

/** The spec of the block at a path, which records what one rule reads: a rule that read an unknown value has no result. */
function trackAccess(spec: JsonObject, path: readonly string[], unread: UnknownValues) {
  let guessed = false;
  const wrap = (value: Json, at: readonly string[]): Json => {
    if (!isObject(value) && !isList(value)) return value;
    return new Proxy(value, {
      get: (target, name) => {
        if (typeof name !== 'string' || (isList(target) && !/^\d+$/.test(name)))
          return Reflect.get(target, name) as Json;
        const inner = [...at, name];
        const found = Object.hasOwn(target, name) ? (Reflect.get(target, name) as Json) : undefined;
        guessed ||= unread.has(inner) || (found === undefined && unread.mayHave(inner));
        return found === undefined ? found : wrap(found, inner);
      },
      ownKeys: (target) => {
        guessed ||= unread.mayHave([...at, '']);
        return Reflect.ownKeys(target);
      },
    });
  };
  return {
    spec: wrap(spec, path) as JsonObject,
    /** True once an unknown value was read. */
    hasGuessed: () => guessed,
  };
}
