// Parses one response body as JSON, or says why that is impossible.

import { readJson, type Json } from '../../core/json.ts';
import { repeatedList } from '../../core/json-text.ts';
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
  if (repeatedList(text) === undefined) return reading;
  return { problem: 'the answer has the same list twice', isCut: false };
}
