// Markers as the specification of the product describes them, read without the product's own code, wherever they stand in
// a metadata text and however it was reformatted.

import type { JsonObject } from '../../src/core/json.ts';
import { isObject, tryParseJson } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Stored } from '../../src/emulator/state/store.ts';

export const STACK = 'shop';

const KEY = 'edgeform';
const LINE = /^\s*edgeform\/v1\s+(\{.*\})\s*$/;

export interface ReadMarker {
  readonly stack: string;
  readonly address: string;
  readonly isProtected: boolean;
  readonly replaces: string | undefined;
}

export interface ReadMetadata {
  readonly marks: readonly ReadMarker[];
  /** What is not a marker, however it is laid out: of a JSON object its other keys, of lines their text up to the last word. */
  readonly user: string;
}

/** All markers of a metadata text, and the rest. */
export function marksIn(metadata: string): ReadMetadata {
  const json = tryParseJson(metadata);
  if (isObject(json)) {
    const { [KEY]: own, ...rest } = json;
    const mark = isObject(own) ? markOf(own) : undefined;
    if (mark === undefined) return { marks: [], user: metadata };
    return { marks: [mark], user: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest) };
  }
  const lines = metadata.split(/\r\n?|\n/);
  const found = lines.map((line) => {
    const value = tryParseJson(LINE.exec(line)?.[1] ?? '');
    return isObject(value) ? markOf(value) : undefined;
  });
  const marks = found.filter((mark) => mark !== undefined);
  const rest = lines.filter((_, index) => found[index] === undefined);
  return { marks, user: marks.length > 0 ? rest.join('\n').trimEnd() : metadata };
}

function markOf({ v, stack, address, protect, replaces }: JsonObject): ReadMarker | undefined {
  if (v !== 1 || typeof stack !== 'string' || typeof address !== 'string') return undefined;
  const isProtected = protect === true;
  return { stack, address, isProtected, replaces: typeof replaces === 'string' ? replaces : undefined };
}

export function metadataOf(stored: Stored): string {
  const text = stored.spec[METADATA];
  return typeof text === 'string' ? text : '';
}

/** The marker of our stack that an object has. */
export function ownMark(stored: Stored): ReadMarker | undefined {
  return marksIn(metadataOf(stored)).marks.find((mark) => mark.stack === STACK);
}

/** The address of an object of our stack. */
export function ownAddress(stored: Stored): string | undefined {
  return ownMark(stored)?.address;
}

/** The address that a metadata text claims, for any stack. */
export function addressIn(metadata: unknown): string | undefined {
  return typeof metadata === 'string' ? marksIn(metadata).marks[0]?.address : undefined;
}
