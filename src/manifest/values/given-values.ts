// Values of variables as they are given from outside: texts, or lists of texts.

import { isList, type Json } from '../../core/json.ts';
import { splitText } from './expression.ts';

/** A value, or the items of a list, as text. */
export type GivenValue = string | readonly string[];

export type GivenValues = ReadonlyMap<string, GivenValue>;

/**
 * The value of a variable in a file; undefined for a map, or a list that does not only have plain values. `numberText` gives the
 * source text of a number that is not in JSON notation, by the path below the value.
 */
export function givenValue(
  json: Json,
  numberText: (below: readonly string[]) => string | undefined,
): GivenValue | undefined {
  if (!isList(json)) return typeof json === 'object' ? undefined : (numberText([]) ?? String(json));
  if (json.some((item) => typeof item === 'object')) return undefined;
  return json.map((item, index) => numberText([String(index)]) ?? String(item));
}

/** A text of a file as the reader of manifests reads it, `$${` as `${`; undefined if it holds an expression. */
export function plainText(text: string): string | undefined {
  const parts = splitText(text);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length < parts.length ? undefined : texts.join('');
}
