// Parses one response body as JSON, or says why that is impossible.

import { isList, isObject, parseJson, type Json } from '../../core/json.ts';
import { mediaType } from './describe-response.ts';

const MAX_DEPTH = 64;

/** `isCut`: the answer was truncated. */
type BodyResult = { readonly json: Json } | { readonly problem: string; readonly isCut: boolean };

/** Parses a body; the media type must be JSON and the bytes UTF-8. A byte order mark is ignored. */
export function parseBody(bytes: Buffer, contentType: string): BodyResult {
  if (!/^\s*application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i.test(contentType))
    return { problem: `the answer is ${mediaType(contentType)}, not JSON`, isCut: false };
  if (/charset\s*=(?!\s*"?utf-8(?:["\s;]|$))/i.test(contentType))
    return { problem: 'the answer is not in UTF-8', isCut: false };
  let json: Json;
  try {
    json = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { problem: bytes.length === 0 ? 'the answer is empty' : 'the answer is not complete JSON', isCut: true };
  }
  if (!isDeeper(json, MAX_DEPTH)) return { json };
  return { problem: `the answer is nested deeper than ${MAX_DEPTH} levels`, isCut: false };
}

/** True when values are nested deeper than that. Hostile JSON may be deeper than the call stack, so it stops there. */
function isDeeper(json: Json, levels: number): boolean {
  if (levels === 0) return true;
  if (isList(json)) return json.some((item) => isDeeper(item, levels - 1));
  if (!isObject(json)) return false;
  for (const name of Object.keys(json)) if (isDeeper(json[name] ?? null, levels - 1)) return true;
  return false;
}
