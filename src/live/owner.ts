// The ownership marker inside an object's metadata text: how it is written and read (ADR-0003).
// Knows nothing of stacks beyond their name, and never changes a byte of the user's own text.

import type { Json, JsonObject } from '../base/json.ts';
import { isObject, parseJson } from '../base/json.ts';
import type { Marker } from './snapshot.ts';

const KEY = 'edgeform';
const LINE = 'edgeform/v1 ';

export interface Owned {
  readonly marker: Marker | undefined;
  /** The user's own text, byte for byte. */
  readonly user: string;
}

/** Adds the marker to the user's text: as the last member of a JSON object, else as a last line. */
export function writeMarker(user: string, marker: Marker): string {
  const text = JSON.stringify(ordered(marker));
  if (user === '') return `{"${KEY}":${text}}`;
  // `{}` with a marker inside could not be told from no text at all, so there the marker is a line.
  const end = user === '{}' ? undefined : closingBrace(user);
  if (end === undefined) return `${user}\n${LINE}${text}`;
  return `${user.slice(0, end)}${isEmptyObject(user) ? '' : ','}"${KEY}":${text}${user.slice(end)}`;
}

/** Splits metadata into marker and user text. A malformed or foreign marker is user text. */
export function readMarker(metadata: string): Owned {
  return readMember(metadata) ?? readLine(metadata) ?? { marker: undefined, user: metadata };
}

function ordered(marker: Marker): JsonObject {
  const base = { v: marker.v, stack: marker.stack, address: marker.address, applied: marker.applied };
  return {
    ...base,
    ...(marker.protect && { protect: true }),
    ...(marker.replaces !== undefined && { replaces: marker.replaces }),
  };
}

/** Position of the brace that ends a JSON object, or undefined when the text is no JSON object. */
function closingBrace(text: string): number | undefined {
  return isObject(parse(text)) ? text.lastIndexOf('}') : undefined;
}

function isEmptyObject(text: string): boolean {
  const value = parse(text);
  return isObject(value) && Object.keys(value).length === 0;
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readMember(metadata: string): Owned | undefined {
  const end = closingBrace(metadata);
  if (end === undefined) return undefined;
  const start = metadata.lastIndexOf(`"${KEY}":{"v":1,`);
  if (start < 0) return undefined;
  const marker = toMarker(parse(metadata.slice(start + KEY.length + 3, end)));
  if (marker === undefined) return undefined;
  const before = metadata.slice(0, start);
  const user = `${before.endsWith(',') ? before.slice(0, -1) : before}${metadata.slice(end)}`;
  if (user === '{}') return { marker, user: '' };
  return isObject(parse(user)) ? { marker, user } : undefined;
}

function readLine(metadata: string): Owned | undefined {
  const start = metadata.lastIndexOf(`\n${LINE}`);
  if (start < 0) return undefined;
  const marker = toMarker(parse(metadata.slice(start + 1 + LINE.length)));
  return marker === undefined ? undefined : { marker, user: metadata.slice(0, start) };
}

function toMarker(value: Json | undefined): Marker | undefined {
  if (!isObject(value) || value['v'] !== 1) return undefined;
  const { stack, address, applied, protect, replaces } = value;
  if (typeof stack !== 'string' || typeof address !== 'string') return undefined;
  if (applied !== undefined && !isDigests(applied)) return undefined;
  const base = { v: 1, stack, address, applied: applied ?? {} } as const;
  return {
    ...base,
    ...(protect === true && { protect }),
    ...(typeof replaces === 'string' && { replaces }),
  };
}

function isDigests(value: Json): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((digest) => typeof digest === 'string');
}
