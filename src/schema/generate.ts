// Kinds → JSON Schemas (draft-07, which editors support best). Pure; texts come from the catalogue.

import type { Json, JsonObject } from '../core/json.ts';
import { IMPORTS, NAME_PATTERNS } from '../catalog/address.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import type { Field, Fields, StringField } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { idForm, idPattern } from '../catalog/id.ts';
import { childKinds, managedKinds } from '../catalog/lookup.ts';
import { PRESET, PRESETS, WITHOUT } from '../catalog/reuse-keys.ts';
import { SECRET_NOTE } from './describe-value.ts';
import { ALSO, hinted, withExplain } from './hints.ts';
import { movedSchema } from './moved-schema.ts';
import { address, forms, object, STACK_NAME } from './parts.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const BASE = 'https://edgeform.dev/schemas/';
const NAME_FORM = 'A name has at most 200 letters, digits, _ and -, and does not begin with a digit or a hyphen.';
/** A value that is a single variable, as allowed for numbers and booleans. */
const VARIABLE = '^\\$\\{var\\.[A-Za-z_][A-Za-z0-9_-]*\\}$';

/** Accepted values of numbers and booleans. */
const LITERAL_FORMS = {
  boolean: 'Expected: true, false, or "${var.NAME}".',
  integer: 'Expected: a whole number, or "${var.NAME}".',
  number: 'Expected: a number, or "${var.NAME}".',
  list: 'Expected: a list, or "${var.NAME}".',
} as const;

export function kindSchema(kind: Kind): JsonObject {
  const block = withExplain(blockSchema(kind), [kind.manifestKey]);
  return { $schema: DRAFT, $id: `${BASE}${kind.name}.schema.json`, ...block };
}

export function manifestSchema(kinds: readonly Kind[]): JsonObject {
  const managed = kinds.filter((kind) => kind.unmanaged !== true && kind.parent === undefined);
  const sections = managed.map((kind): [string, Json] => [kind.manifestKey, sectionSchema(kind)]);
  const schema: JsonObject = {
    $schema: DRAFT,
    $id: `${BASE}manifest.schema.json`,
    title: 'edgeform manifest',
    description: 'What a stack should look like. Several files form one stack.',
    type: 'object',
    [ALSO]: [PRESETS],
    additionalProperties: false,
    properties: {
      version: { const: 1, description: 'Format of the manifest; always 1.' },
      stack: {
        type: 'string',
        ...STACK_NAME,
        description: 'Ownership scope: lower-case letters, digits and hyphens.',
        examples: ['shop'],
      },
      variables: {
        ...named(variableSchema(), 'Values given from outside: ${var.NAME}.'),
        examples: [{ env: { default: 'prod' }, oauth_secret: { sensitive: true } }],
      },
      ...Object.fromEntries(sections),
      [IMPORTS]: {
        ...named(
          importSchema(),
          'Objects of other stacks, or of none, whose values are read: ${imports.NAME.ATTR}. They are never changed.',
        ),
        examples: [EXAMPLES.imports],
      },
      outputs: {
        ...named(
          { type: 'string', examples: [EXAMPLES.reference] },
          `Values to show after apply, for example ${EXAMPLES.reference}.`,
        ),
        examples: [{ db_address: EXAMPLES.reference }],
      },
      moved: movedSchema(),
      removed: removedSchema(),
    },
  };
  return withExplain(schema);
}

function removedSchema(): JsonObject {
  const destroy =
    'false releases the object without deleting it; true consents to its deletion, with what is inside it.';
  return {
    type: 'array',
    description: 'Resources that leave the stack: released, or deleted with consent to what that loses.',
    examples: [[{ from: EXAMPLES.releasedAddress, destroy: false }]],
    items: object({ from: address('Address.'), destroy: { type: 'boolean', description: destroy } }, [
      'from',
      'destroy',
    ]),
  };
}

function importSchema(): JsonObject {
  const { db, legacy } = EXAMPLES.imports;
  const members = {
    stack: {
      type: 'string',
      ...STACK_NAME,
      description: 'Stack that owns the object, as its marker says; it goes with `address`.',
      examples: [db.stack],
    },
    address: { ...address('Address of the object in that stack.'), examples: [db.address] },
    kind: {
      type: 'string',
      enum: managedKinds.map(({ name }) => name),
      description: 'Kind of an object that is found by its id; it goes with `id`.',
      examples: [legacy.kind],
    },
    id: { type: 'string', description: 'Id of the object, whoever owns it.', examples: [legacy.id] },
  };
  const [byMarker, byId] = [Object.keys(db), Object.keys(legacy)];
  // For editors only: the loader has better words for it.
  const oneOf = [byMarker, byId].map((required) => ({ required, maxProperties: required.length }));
  return { ...object(members, []), oneOf };
}

/** A map whose names are the user's. */
export function named(inner: JsonObject, description: string): JsonObject {
  const propertyNames = { title: 'name', pattern: NAME_PATTERNS.other, patternErrorMessage: NAME_FORM };
  return { type: 'object', description, propertyNames, additionalProperties: inner };
}

function variableSchema(): JsonObject {
  return object(
    {
      default: {
        type: ['string', 'number', 'boolean', 'array'],
        items: { type: ['string', 'number', 'boolean'] },
        description: 'Value when none is given; a list can stand where a list stands.',
      },
      sensitive: { type: 'boolean', description: 'Never shown.' },
      description: { type: 'string', description: 'What it is for.' },
    },
    [],
  );
}

function sectionSchema(kind: Kind): JsonObject {
  const title = `${kind.manifestKey}: map of NAME to ${kind.title}`;
  return { title, ...named(blockSchema(kind), kind.doc) };
}

function blockSchema(kind: Kind): JsonObject {
  const children = childKinds(kind).map((child): [string, Json] => [child.manifestKey, sectionSchema(child)]);
  const own = fieldsSchema(kind.fields);
  const properties = { ...own.properties, ...Object.fromEntries(children), lifecycle: lifecycleSchema(kind) };
  return { title: kind.title, description: kind.doc, [ALSO]: [PRESET, WITHOUT], ...object(properties, own.required) };
}

export function lifecycleSchema(kind?: Kind): JsonObject {
  const id = {
    type: 'string',
    ...(kind && { pattern: idPattern(kind), ...forms(idForm(kind)) }),
    description: `Id of an existing ${kind?.title ?? 'object'}.`,
  };
  return {
    description: 'How edgeform treats the object.',
    ...object(
      {
        prevent_destroy: { type: 'boolean', description: 'Refuse to delete or replace the object.' },
        ignore_changes: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Paths of fields, or of single keys of maps, whose live value is left alone. A secret at such a path is not compared, but when its module is sent, the value of the manifest goes with it.',
          examples: [['description']],
        },
        adopt: { ...id, description: `${id.description} It is adopted.` },
        id: { ...id, description: `${id.description} It is pinned.` },
        on_immutable_change: {
          enum: ['replace', 'refuse'],
          description: 'What to do when a field that cannot be changed differs.',
        },
        ...(kind && exclusiveSchema(kind)),
      },
      [],
    ),
  };
}

/** Only a kind that has children has anything inside. */
function exclusiveSchema(kind: Kind): JsonObject {
  const children = childKinds(kind).map(({ manifestKey }) => manifestKey);
  if (children.length === 0) return {};
  const what = `Delete its ${children.join(' and ')} that the manifest does not have and that have no marker.`;
  return { exclusive: { type: 'boolean', description: what } };
}

function fieldsSchema(fields: Fields): { readonly properties: JsonObject; readonly required: readonly string[] } {
  const writable = Object.entries(fields).filter(([, field]) => field.write !== 'never');
  return {
    properties: Object.fromEntries(writable.map(([name, field]) => [name, hinted(fieldSchema(field), name, field)])),
    required: writable.filter(([, field]) => field.required).map(([name]) => name),
  };
}

function fieldSchema(field: Field): JsonObject {
  const common = {
    description: describe(field),
    ...(field.examples && { examples: [...field.examples] }),
    // Editors would insert an empty list where users want to add the first entry.
    ...(typeof field.default === 'object' && field.type !== 'list' && { default: field.default.value }),
  };
  return { ...common, ...typeSchema(field) };
}

function describe(field: Field): string {
  const words = [field.doc];
  if (field.write === 'create') words.push('Cannot be changed later.');
  if (field.sensitive) words.push(SECRET_NOTE);
  return words.join(' ');
}

function typeSchema(field: Field): JsonObject {
  switch (field.type) {
    case 'string':
      return textSchema(field);
    case 'integer':
    case 'number':
      return {
        type: [field.type, 'string'],
        pattern: VARIABLE,
        errorMessage: LITERAL_FORMS[field.type],
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
      };
    case 'boolean':
      return { type: ['boolean', 'string'], pattern: VARIABLE, errorMessage: LITERAL_FORMS.boolean };
    case 'list':
      return {
        type: ['array', 'string'],
        items: fieldSchema(field.items),
        pattern: VARIABLE,
        errorMessage: LITERAL_FORMS.list,
      };
    case 'map':
      return {
        type: 'object',
        propertyNames: { pattern: field.names.regex, ...forms(field.names.words) },
        additionalProperties: fieldSchema(field.items),
      };
    case 'object': {
      const inner = fieldsSchema(field.fields);
      const open = field.open ? { additionalProperties: true } : {};
      // Separate, because editors offer no keys if the limit is next to the keys.
      const choice = field.exactlyOne ? { allOf: [{ minProperties: 1, maxProperties: 1 }] } : {};
      return { ...object(inner.properties, inner.required), ...open, ...choice };
    }
    default:
      return field satisfies never;
  }
}

/** Any text may contain `${…}`, so closed sets and patterns accept such text; it is checked after filling in. */
function textSchema(field: StringField): JsonObject {
  const limit = field.maxBytes ?? field.maxChars;
  // Lengths apply to the decoded text, which the loader measures; an editor can measure text without expressions.
  const length = limit === undefined ? {} : { if: { pattern: '\\$\\{' }, else: { maxLength: limit } };
  const base = { type: field.nullable === true ? ['string', 'null'] : 'string', ...length };
  if (field.values !== undefined)
    return { ...base, anyOf: [{ type: 'string', enum: [...field.values] }, { pattern: '\\$\\{' }] };
  if (field.suggestions !== undefined) {
    const known = { type: 'string', enum: [...field.suggestions] };
    const errorMessage =
      field.pattern === undefined ? {} : { errorMessage: forms(field.pattern.words).patternErrorMessage };
    // The two do not overlap, so that an editor shows one description.
    return {
      ...base,
      anyOf: [
        { ...known, ...errorMessage },
        { ...patternOf(field), not: known },
      ],
    };
  }
  return { ...base, ...patternOf(field) };
}

function patternOf(field: StringField): JsonObject {
  return field.pattern === undefined
    ? {}
    : { pattern: `(?:${field.pattern.regex})|\\$\\{`, ...forms(field.pattern.words) };
}
