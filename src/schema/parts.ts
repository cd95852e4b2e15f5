// What several schemas are made of.

import type { JsonObject } from '../core/json.ts';
import { NAME_PATTERNS, STACK_FORM } from '../catalog/address.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import { FORM } from './hints.ts';

/** The description for our messages and for those of editors. */
export function forms(words: string): { readonly [FORM]: string; readonly patternErrorMessage: string } {
  return { [FORM]: words, patternErrorMessage: `Expected: ${words}.` };
}

/** The name of a stack; text with variables is checked after filling in. */
export const STACK_NAME = { pattern: `(?:${NAME_PATTERNS.stack})|\\$\\{`, ...forms(STACK_FORM) };

export function address(description: string): JsonObject {
  return { type: 'string', description, examples: [EXAMPLES.address] };
}

export function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 && { required }) };
}
