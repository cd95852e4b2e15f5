// A field that stands too high: what a block inside has is never told to be removed, because what restricts access is often such a field.

import { expect, test } from 'vitest';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { manifestSchema } from '../../src/schema/generate.ts';
import { validateManifestDocument } from '../../src/schema/validate.ts';
import { topLevelKinds } from '../../src/catalog/lookup.ts';

const SCHEMA = manifestSchema(kinds);

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** Every block of the schema below this one by its path, with the names of its fields; one that takes any field has none. */
function blocks(schema: JsonObject, path: readonly string[] = []): (readonly [readonly string[], readonly string[]])[] {
  const { properties, items, additionalProperties } = schema;
  const inner = Object.entries(objectOf(properties)).map(([name, one]) => [name, objectOf(one)] as const);
  if (isObject(items)) inner.push(['0', items]);
  if (isObject(additionalProperties)) inner.push(['x', additionalProperties]);
  return [
    [path, additionalProperties === true ? [] : Object.keys(objectOf(properties))],
    ...inner.flatMap(([name, one]) => blocks(one, [...path, name])),
  ];
}

function nested(path: readonly string[], inside: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return inside;
  return first === '0' ? [nested(rest, inside)] : { [first]: nested(rest, inside) };
}

test.each(topLevelKinds.map(({ manifestKey }) => manifestKey))(
  'no field of %s is removed for being too high',
  (key) => {
    const kind = objectOf(objectOf(objectOf(SCHEMA['properties'])[key])['additionalProperties']);
    const all = blocks(kind, [key, 'x']);
    const removed: string[] = [];
    let tried = 0;
    for (const [outer, fields] of all.filter(([, names]) => names.length > 0))
      for (const [inner, names] of all.filter(([path]) => outer.every((one, at) => path[at] === one)))
        for (const name of names.filter((one) => !fields.includes(one))) {
          const document = { version: 1, stack: 'shop', ...objectOf(nested(outer, { [name]: 'a' })) };
          const found = validateManifestDocument(document).find(
            ({ code, path }) => code === 'unknown-field' && path.join('.') === [...outer, name].join('.'),
          );
          tried++;
          if (found === undefined || found.fix?.startsWith('remove "') === true)
            removed.push(`${name} of ${inner.join('.')} in ${outer.join('.')}: ${found?.fix ?? 'not found'}`);
        }
    expect(removed).toEqual([]);
    expect(tried).toBeGreaterThan(0);
  },
);
