// Short descriptions of a schema, a value and a key, for messages. Knows no problems.

import { isList, type Json, type JsonObject } from '../core/json.ts';
import { withArticle } from '../core/text/text.ts';

/** Ends the description of every secret field, for readers who have only the schema. */
export const SECRET_NOTE = 'Secret: use a variable marked sensitive.';

export function isSecret({ description }: JsonObject): boolean {
  return typeof description === 'string' && description.endsWith(SECRET_NOTE);
}

export function show({ schema, value }: { readonly schema: JsonObject; readonly value: Json | undefined }): string {
  return isSecret(schema) ? article(typeOf(value)) : JSON.stringify(value ?? null);
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

/** The key up to the first colon, equals sign or blank, because a value, perhaps a secret, may have run into it. */
export function headOf(key: string): string {
  return key.split(/[:=\s]/, 1)[0] ?? '';
}

/** A key as messages show it. */
export function safeKey(key: string): string {
  const head = headOf(key);
  return head === key ? key : `${head}…`;
}
