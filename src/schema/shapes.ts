// Small pieces of the schemas of documents. Every field is required unless it is named as optional, and others may follow.

import type { JsonObject } from '../core/json.ts';

export const text: JsonObject = { type: 'string' };
export const textOrNull: JsonObject = { type: ['string', 'null'] };
export const flag: JsonObject = { type: 'boolean' };
export const count: JsonObject = { type: 'integer', minimum: 0 };
export const any: JsonObject = {};

export function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

export function oneOf(...values: readonly (string | null)[]): JsonObject {
  return { enum: values };
}

/** An object with these fields. */
export function record(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

interface Face {
  readonly title: string;
  readonly description: string;
}

/** The schema of a whole document of one format version. */
export function documentSchema(name: string, face: Face, shape: JsonObject): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://edgeform.dev/schemas/${name}.schema.json`,
    ...face,
    ...shape,
  };
}
