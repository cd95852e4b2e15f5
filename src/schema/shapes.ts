// Small parts of the schemas of documents. Every field of a record is required unless it is listed as optional.

import type { JsonObject } from '../core/json.ts';

export const text: JsonObject = { type: 'string' };
export const textOrNull: JsonObject = { type: ['string', 'null'] };
export const flag: JsonObject = { type: 'boolean' };
export const count: JsonObject = { type: 'integer', minimum: 0 };

export function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

export function oneOf(...values: readonly (string | null)[]): JsonObject {
  return { enum: values };
}

export function record(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}
