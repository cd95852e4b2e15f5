// The schemas for editors, of manifests as they are written and of overlays. A block that is laid over presets is a part: it need
// not repeat required fields. In an overlay, and in a preset, every block is a part.

import { ADD, PRESET, PRESETS, WITHOUT } from '../catalog/reuse-keys.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, topLevelKinds } from '../catalog/lookup.ts';
import { canonicalJson, isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { manifestSchema, named } from './generate.ts';
import { ALSO, withExplain } from './hints.ts';
import { object } from './parts.ts';
import { ADD_HINT, IN_BLOCKS, OVERLAY_HINT, PRESETS_HINT } from './reuse-schema.ts';

/** The schema of a manifest as it is written. */
export function editorSchema(kinds: readonly Kind[]): JsonObject {
  const manifest = manifestSchema(kinds);
  return { ...laidOut(manifest, choiceFor), definitions: definitionsOf(manifest, wholeAndPart) };
}

/** The schema of a file that is laid over a manifest. */
export function overlaySchema(kinds: readonly Kind[]): JsonObject {
  const manifest = manifestSchema(kinds);
  const { properties: laid, ...rest } = laidOut(manifest, partFor);
  const properties = isObject(laid) ? laid : {};
  return {
    ...rest,
    $id: String(manifest['$id']).replace('manifest', 'overlay'),
    title: 'edgeform overlay',
    description: OVERLAY_HINT,
    properties: { [WITHOUT]: explained(WITHOUT), ...properties, [ADD]: additions(Object.keys(properties)) },
    definitions: definitionsOf(manifest, (kind, block) => [[partName(kind), withKeys(partOf(kind, block))]]),
  };
}

/** The same sections once more; a block may be that of an edge which is there, so that it is a part, too. */
function additions(sections: readonly string[]): JsonObject {
  const schema = object(Object.fromEntries(sections.map((name) => [name, { $ref: `#/properties/${name}` }])), []);
  return { ...schema, title: 'what the overlay adds', ...withExplain({ type: 'object', ...ADD_HINT }, ['overlay']) };
}

/** A block of the kind, by what it has to have. */
type BlockFor = (kind: Kind, block: JsonObject) => JsonObject;

const partName = ({ name }: Kind): string => `${name}_part`;
const reference = (...path: readonly string[]): JsonObject => ({ $ref: ['#/definitions', ...path].join('/') });
const partFor: BlockFor = (kind) => reference(partName(kind));

/** A whole block, or a part that is laid over presets. */
const choiceFor: BlockFor = (kind, { title = kind.title, description = kind.doc }) => ({
  title,
  description,
  if: { required: [PRESET] },
  then: partFor(kind, {}),
  else: reference(kind.name),
});

/** The manifest with presets, and with these blocks in its sections. */
function laidOut(manifest: JsonObject, blockFor: BlockFor): JsonObject {
  const { properties, ...rest } = withSections(topLevelKinds, manifest, blockFor);
  const { version = {}, stack = {}, variables = {}, ...sections } = isObject(properties) ? properties : {};
  return {
    ...withoutNames(rest),
    properties: { version, stack, variables, [PRESETS]: presetsSchema(manifest), ...sections },
  };
}

type Definition = readonly [name: string, schema: JsonObject];

function definitionsOf(manifest: JsonObject, of: (kind: Kind, block: JsonObject) => readonly Definition[]): JsonObject {
  return Object.fromEntries([...blocksIn(topLevelKinds, manifest)].flatMap(([kind, block]) => of(kind, block)));
}

/** Both forms of a block; what is the same in both is there once. */
function wholeAndPart(kind: Kind, block: JsonObject): readonly Definition[] {
  const whole = withKeys(withSections(childKinds(kind), block, choiceFor));
  const part = withKeys(partOf(kind, block));
  const wholeFields = isObject(whole['properties']) ? whole['properties'] : {};
  const isShared = (field: Json, name: string) => canonicalJson(field) === canonicalJson(wholeFields[name] ?? null);
  const properties = mapObject<Json, Json>(isObject(part['properties']) ? part['properties'] : {}, (field, name) =>
    isShared(field, name) ? reference(kind.name, 'properties', name) : field,
  );
  return [
    [kind.name, whole],
    [partName(kind), { ...part, properties }],
  ];
}

function* blocksIn(kinds: readonly Kind[], schema: JsonObject): Generator<[Kind, JsonObject]> {
  for (const kind of kinds) {
    const block = blockIn(schema, kind);
    if (block === undefined) continue;
    yield [kind, block];
    yield* blocksIn(childKinds(kind), block);
  }
}

function blockIn({ properties }: JsonObject, { manifestKey }: Kind): JsonObject | undefined {
  const section = isObject(properties) ? properties[manifestKey] : undefined;
  const block = isObject(section) ? section['additionalProperties'] : undefined;
  return isObject(block) ? block : undefined;
}

function withSections(kinds: readonly Kind[], schema: JsonObject, blockFor: BlockFor): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const changed = mapObject<Json, Json>(properties, (section, key) => {
    const kind = kinds.find(({ manifestKey }) => manifestKey === key);
    const block = kind && blockIn(schema, kind);
    if (kind === undefined || block === undefined || !isObject(section)) return section;
    return { ...section, additionalProperties: blockFor(kind, block) };
  });
  return { ...schema, properties: changed };
}

function withKeys(block: JsonObject): JsonObject {
  const { properties, ...rest } = block;
  const keys = Object.fromEntries(Object.keys(IN_BLOCKS).map((name) => [name, explained(name)]));
  return { ...withoutNames(rest), properties: { ...keys, ...(isObject(properties) && properties) } };
}

/** Without the names that are among the properties here. */
function withoutNames({ [ALSO]: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

function explained(name: string): JsonObject {
  const schema = IN_BLOCKS[name];
  return isObject(schema) ? withExplain(schema, [name]) : {};
}

function partOf(kind: Kind, block: JsonObject): JsonObject {
  return relaxed(withSections(childKinds(kind), block, partFor));
}

/** Maps are merged, so that each may lack what another has; a list is replaced, and its entries are whole. */
function relaxed(schema: JsonObject): JsonObject {
  const { required: _, allOf, properties, additionalProperties: named, ...rest } = schema;
  const inside = (inner: Json) => (isObject(inner) ? relaxed(inner) : inner);
  return {
    ...rest,
    ...(isObject(properties) && { properties: mapObject<Json, Json>(properties, inside) }),
    ...(named !== undefined && { additionalProperties: inside(named) }),
    ...(isList(allOf) && { allOf: allOf.map(withoutLowerLimit) }),
  };
}

function withoutLowerLimit(schema: Json): Json {
  return isObject(schema)
    ? mapObject<Json, Json>(schema, (value, key) => (key === 'minProperties' ? undefined : value))
    : schema;
}

/** A preset may have the fields of any kind; which of them go together is judged where it is used. */
function presetsSchema(manifest: JsonObject): JsonObject {
  const fields = new Map<string, { readonly words: JsonObject; readonly forms: Map<string, JsonObject> }>();
  for (const [kind, block] of blocksIn(topLevelKinds, manifest)) {
    const { properties } = partOf(kind, block);
    for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
      const { words, forms } = fields.get(name) ?? { words: wordsOf(field), forms: new Map<string, JsonObject>() };
      // Words do not make another form.
      const form = canonicalJson(withoutWords(field));
      if (!forms.has(form)) forms.set(form, reference(partName(kind), 'properties', name));
      fields.set(name, { words, forms });
    }
  }
  const choices = [...fields].map(([name, { words, forms }]): [string, Json] => {
    const [first = {}, ...others] = forms.values();
    return [name, others.length === 0 ? first : { ...words, anyOf: [first, ...others] }];
  });
  const properties = Object.fromEntries(choices);
  const part = { title: 'part of a block', ...object(properties, []) };
  return { ...named(part, PRESETS_HINT.description), ...withExplain({ type: 'object', ...PRESETS_HINT }, [PRESETS]) };
}

const WORDS = ['title', 'description', 'markdownDescription'];

function wordsOf(schema: Json): JsonObject {
  return isObject(schema)
    ? mapObject<Json, Json>(schema, (value, key) => (WORDS.includes(key) ? value : undefined))
    : {};
}

function withoutWords(schema: Json): Json {
  if (isList(schema)) return schema.map(withoutWords);
  if (!isObject(schema)) return schema;
  return mapObject<Json, Json>(schema, (value, key) =>
    WORDS.includes(key) && typeof value === 'string' ? undefined : withoutWords(value),
  );
}
