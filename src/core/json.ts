// JSON values and their one canonical text form. Knows nothing of this API, YAML or HTTP.

import { tryTo } from './try.ts';

/** Keys that lead to a nested value. */
export type Path = readonly string[];

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a plain JSON object; false for arrays, null and scalars. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array; unlike `Array.isArray` it keeps the element type of a readonly union. */
export function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Maps or drops every value of an object. Its keys may come from outside, so `__proto__` is a normal key. */
export function mapObject<From, To>(
  object: { readonly [key: string]: From },
  change: (value: From, key: string) => To | undefined,
): { readonly [key: string]: To } {
  const made: Record<string, To> = {};
  for (const key of Object.keys(object)) {
    const value = change(object[key] as From, key);
    if (value === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
    else made[key] = value;
  }
  return made;
}

/** Orders strings by UTF-16 code units: the same on every machine and locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compact JSON text with keys in code-unit order: equal values give equal bytes. */
export function canonicalJson(value: Json): string {
  if (!isList(value) && !isObject(value)) return JSON.stringify(value);
  let text = '';
  if (isList(value)) for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  else
    for (const key of Object.keys(value).sort())
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`;
  return isList(value) ? `[${text}]` : `{${text}}`;
}

/** Parses JSON text that a program wrote; throws `SyntaxError` as the platform does. */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}

/** Values from outside are not nested deeper: whatever visits them calls itself for each level. */
export const MAX_LEVELS = 64;

/** The value of a text from outside, or what is wrong with it. */
export type JsonReading =
  | { readonly json: Json; readonly problem?: undefined }
  /** `why` is the end of a sentence. */
  | { readonly json?: undefined; readonly problem: 'syntax' | 'depth'; readonly why: string };

/** Parses JSON text from outside. */
export function readJson(text: string, levels = MAX_LEVELS): JsonReading {
  const json = tryTo(() => parseJson(text));
  if (json === undefined) return { problem: 'syntax', why: 'is not JSON' };
  if (isDeeper(json, levels)) return { problem: 'depth', why: `is nested deeper than ${levels} levels` };
  return { json };
}

/** The parsed text, or undefined if it is not JSON, or is nested too deeply. */
export function tryParseJson(text: string): Json | undefined {
  return readJson(text).json;
}

/** True when lists and objects are nested deeper. It goes no deeper itself. */
function isDeeper(json: Json, levels: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (levels === 0) return true;
  if (isList(json)) return json.some((item) => isDeeper(item, levels - 1));
  for (const name in json) if (isDeeper(json[name] ?? null, levels - 1)) return true;
  return false;
}
