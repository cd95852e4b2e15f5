// Parses one response body as JSON, or says why that is impossible.

import { isList, isObject, readJson, type Json } from '../../core/json.ts';
import { membersOf } from '../../core/json-text.ts';
import { tryTo } from '../../core/try.ts';
import { mediaType } from './describe-response.ts';

/** `isCut`: the answer was truncated. */
export type BodyResult = { readonly json: Json } | { readonly problem: string; readonly isCut: boolean };

/** Parses a body; the media type must be JSON and the bytes UTF-8. A byte order mark is ignored. */
export function parseBody(bytes: Buffer, contentType: string): BodyResult {
  if (!/^\s*application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(contentType))
    return { problem: `the answer is ${mediaType(contentType)}, not JSON`, isCut: false };
  if (/charset\s*=(?!\s*"?utf-8(?:["\s;]|$))/i.test(contentType))
    return { problem: 'the answer is not in UTF-8', isCut: false };
  const text = tryTo(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)) ?? '';
  const reading = readJson(text);
  if (reading.problem === 'depth') return { problem: `the answer ${reading.why}`, isCut: false };
  if (reading.problem !== undefined)
    return { problem: bytes.length === 0 ? 'the answer is empty' : 'the answer is not complete JSON', isCut: true };
  return hasDoubledList(text, reading.json) ? { problem: 'the answer has the same list twice', isCut: false } : reading;
}

/**
 * True when the answer has a list twice, of which the parser keeps one. Members are looked at one by one only if a name of a list
 * may be there again.
 */
function hasDoubledList(text: string, json: Json): boolean {
  if (!isObject(json)) return false;
  const lists = Object.keys(json).filter((name) => isList(json[name] ?? []));
  const mayBeTwice = (name: string) => text.indexOf(`"${name}"`) !== text.lastIndexOf(`"${name}"`);
  if (!text.includes('\\u') && !lists.some(mayBeTwice)) return false;
  const names = membersOf(text).map(({ name }) => name);
  return lists.some((list) => names.indexOf(list) !== names.lastIndexOf(list));
}
