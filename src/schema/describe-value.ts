// What a schema, a value and a key are, in short: for the messages of what does not fit. Knows no problem.

import type { Json, JsonObject } from '../core/json.ts';
import { isList } from '../core/json.ts';
import { withArticle } from '../core/text/text.ts';
import { secretNameIn } from '../catalog/secrecy/secret-names.ts';

/** Ends the description of every secret field, so that whoever has only the schema knows it. */
export const SECRET_NOTE = 'Secret: use a variable marked sensitive.';

export function isSecret({ description }: JsonObject): boolean {
  return typeof description === 'string' && description.endsWith(SECRET_NOTE);
}

export function show({ schema, value }: { readonly schema: JsonObject; readonly value: Json | undefined }): string {
  return isSecret(schema) ? article(typeOf(value)) : JSON.stringify(value ?? null);
}

export function rangeOf(schema: JsonObject): string {
  const low = schema['minimum'];
  const high = schema['maximum'];
  return `${low === undefined ? '' : `at least ${String(low)}`}${low !== undefined && high !== undefined ? ' and ' : ''}${high === undefined ? '' : `at most ${String(high)}`}`;
}

export function article(type: string): string {
  if (type === 'null') return 'nothing';
  if (type === 'boolean') return 'true or false';
  return withArticle(type === 'array' ? 'list' : type);
}

export function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  return isList(value) ? 'array' : typeof value;
}

/** A key as messages tell it, for a value may have run into it, and that may be a secret: up to the first colon, equals sign or
 * blank; one that nobody knows, up to the name of a secret, too. */
export function safeKey(key: string, isKnown = true): string {
  const [head = ''] = key.split(/[:=\s]/, 1);
  const name = (isKnown ? undefined : secretNameIn(head)) ?? head;
  return name === key ? key : `${name}…`;
}
