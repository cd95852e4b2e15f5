// A response that does not have the shape in the specification. It is never treated as "empty" or "gone".

import { isList, isObject, type Json } from '../core/json.ts';

/**
 * Says what kind of value was found, and repeats no text of the service, which may be a secret: `path` is a dotted path inside
 * the response body, with `*` for a name that the service chose.
 */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly path: string;

  constructor(path: string, expected: string, found: Json | undefined) {
    super(`${path} is ${found === undefined ? 'missing' : `${sortOf(found)}, and not ${expected}`}`);
    this.path = path;
  }
}

function sortOf(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'number' ? 'a number' : String(value);
}
