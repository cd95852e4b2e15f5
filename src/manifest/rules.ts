// Rules across fields and across resources: the catalogue's own checks (§7), unique values, secrets in shown text.

import type { Code } from '../base/codes.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isList } from '../base/json.ts';
import { SECRET_MASK, Secret } from '../base/secret.ts';
import type { Value, ValueObject } from '../base/value.ts';
import { Expression, isValueObject, mapLeaves } from '../base/value.ts';
import { METADATA } from '../catalog/common.ts';
import type { Fields } from '../catalog/field.ts';
import type { RuleViolation } from '../catalog/kind.ts';
import { markerIn } from '../live/owner.ts';
import type { Words } from './lines.ts';
import type { Places } from './places.ts';
import type { Located } from './resources.ts';

/** Every broken rule. */
export function checkRules(resources: readonly Located[], places: Places): Diagnostic[] {
  return [
    ...resources.flatMap((one) => [
      ...checkKind(one, places),
      ...checkMetadata(one, places),
      ...checkKeys(one.kind.fields, one.resource.spec, { one, path: one.path, places }),
    ]),
    ...checkUnique(resources, places),
  ];
}

/** The spec as the catalogue's checks see it: what is secret or not known yet is opaque text. */
function opaque(spec: Value): Json {
  return mapLeaves(spec, (leaf) =>
    leaf instanceof Secret ? SECRET_MASK : leaf instanceof Expression ? '${…}' : leaf,
  ) as Json;
}

function checkKind({ resource, path, kind, isBroken }: Located, places: Places): Diagnostic[] {
  if (isBroken) return [];
  const check = kind.check as ((spec: JsonObject) => readonly RuleViolation[]) | undefined;
  const violations = check?.(opaque(resource.spec) as JsonObject) ?? [];
  return violations.map(({ path: inner, message, expected, got, fix }) =>
    places.error(
      'rule-broken',
      [...path, ...inner.split('.')],
      {
        message,
        ...(expected !== undefined && { expected }),
        ...(got !== undefined && { got }),
        ...(fix !== undefined && { fix }),
      },
      resource.address,
    ),
  );
}

function checkMetadata({ resource, path }: Located, places: Places): Diagnostic[] {
  const value = resource.spec[METADATA];
  const problem = (code: Code, words: Words) => [places.error(code, [...path, METADATA], words, resource.address)];
  if (value instanceof Secret)
    return problem('secret-in-text', {
      message: 'metadata is shown and compared, so it cannot hold a sensitive variable',
      fix: 'use a variable that is not sensitive',
    });
  const marked = value === undefined ? undefined : markerIn(textOf(value));
  if (marked === undefined) return [];
  return problem('marker-in-metadata', {
    message: `metadata ${marked}, and only edgeform writes ownership markers`,
    fix: 'take it out, also the key `edgeform` and lines that begin with `edgeform/v1`',
  });
}

/** What is known of a text; what a reference will bring is judged by the planner. */
function textOf(value: Value): string {
  if (!(value instanceof Expression)) return typeof value === 'string' ? value : '';
  return value.parts
    .map((part) => (typeof part === 'string' ? part : part instanceof Secret ? SECRET_MASK : '${…}'))
    .join('');
}

interface Block {
  readonly one: Located;
  readonly path: readonly string[];
  readonly places: Places;
}

/** Names in a map that differ only in case would be one name for the service, such as a header. */
function checkKeys(fields: Fields, spec: ValueObject, { one, path, places }: Block): Diagnostic[] {
  return Object.entries(fields).flatMap(([name, field]): Diagnostic[] => {
    const value = spec[name];
    if (!isValueObject(value)) return [];
    const here = [...path, name];
    if (field.type === 'object') return checkKeys(field.fields, value, { one, path: here, places });
    if (field.type !== 'map' || field.keys !== 'lower') return [];
    const seen = new Map<string, string>();
    return Object.keys(value).flatMap((key) => {
      const first = seen.get(key.toLowerCase());
      seen.set(key.toLowerCase(), first ?? key);
      if (first === undefined) return [];
      const words = {
        message: `"${key}" and "${first}" are one name, because case does not count`,
        fix: 'keep one of them',
      };
      return [places.errorAtKey('not-unique', [...here, key], words, one.resource.address)];
    });
  });
}

function checkUnique(resources: readonly Located[], places: Places): Diagnostic[] {
  const holders = new Map<string, { readonly one: Located; readonly path: readonly string[] }>();
  const found: Diagnostic[] = [];
  for (const one of resources) {
    for (const { key, text, path } of claims(one)) {
      const first = holders.get(key);
      if (first === undefined) holders.set(key, { one, path });
      else {
        const message = `${text} is claimed by ${first.one.resource.address} and ${one.resource.address}`;
        const problem = places.error(
          'not-unique',
          path,
          { message, fix: 'only one of them can have it' },
          one.resource.address,
        );
        found.push({ ...problem, related: [{ message: 'first claimed here', range: places.value(first.path) }] });
      }
    }
  }
  return found;
}

function claims({
  resource,
  path,
  kind,
}: Located): { readonly key: string; readonly text: string; readonly path: readonly string[] }[] {
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    const value = resource.spec[name];
    if (field.unique === undefined || value === undefined) return [];
    const scope = field.unique === 'service' ? name : `${resource.parent ?? ''} ${name}`;
    const items: readonly Value[] = isList(value) ? value : [value];
    const inner = field.type === 'list' ? field.items : field;
    const isCaseless = inner.type === 'string' && inner.caseless === true;
    return items.flatMap((item, index) => {
      const text =
        typeof item === 'string' ? item : item instanceof Expression ? JSON.stringify(item.parts) : undefined;
      if (text === undefined) return [];
      const shown = typeof item === 'string' ? item : 'the same reference';
      return [
        {
          key: `${scope} ${isCaseless ? text.toLowerCase() : text}`,
          text: shown,
          path: isList(value) ? [...path, name, String(index)] : [...path, name],
        },
      ];
    });
  });
}
