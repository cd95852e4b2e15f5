// A text into which accepted values are written: a file of the manifest, or the last overlay.
//
// A file says what its blocks say. An overlay says what its environment has otherwise, so that a value of the manifest is written over,
// and what is to go is dropped with `without`:
//
//   below, and live                        the overlay
//   db: { description: one }  →  two       tls_edges: { db: { description: two } }
//   db: { description: one }  →  none      without: [tls_edges.db.description]
//   -  →  a route that is adopted          add: { https_edges: { shop: { routes: { found: … } } } }

import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { valueAt } from '../core/value.ts';
import { addressAt } from '../catalog/address.ts';
import { ADD, WITHOUT } from '../catalog/reuse-keys.ts';
import { parseDocuments } from '../manifest/text/parse.ts';
import type { Reason } from './reasons.ts';
import type { Edit } from './wanted.ts';
import { withValues } from './with-value.ts';

/** A file of the manifest, without its byte order mark. */
export interface ManifestText {
  readonly name: string;
  readonly text: string;
  /** Why it is not written, whatever it says. */
  readonly whyKept?: Reason | undefined;
}

type Place = Pick<Edit, 'path' | 'value'>;

export interface Source extends ManifestText {
  /** Whether a value at this path of the plain manifest can be written here. */
  readonly mayHave: (path: Path) => boolean;
  readonly has: (path: Path) => boolean;
  /** What it says once the plain manifest has these values. */
  readonly wanted: (edits: readonly Place[]) => JsonObject;
  /** The paths in it that an edit changes. */
  readonly pathsOf: (edit: Place) => readonly Path[];
  /** The same file with another text. */
  readonly withText: (text: string) => Source;
}

/** A file of the manifest itself, which has some of the blocks. */
export function sourceOfFile(file: ManifestText): Source {
  const json = jsonOf(file);
  return {
    ...file,
    mayHave: (path) => valueAt(json, path.slice(0, 2)) !== undefined,
    has: (path) => valueAt(json, path) !== undefined,
    wanted: (edits) => documentWith(json, edits),
    pathsOf: ({ path }) => [path],
    withText: (text) => sourceOfFile({ ...file, text }),
  };
}

/** The last overlay, which lies over everything; `below` is the plain manifest without it. */
export function sourceOfOverlay(file: ManifestText, below: Json): Source {
  const json = jsonOf(file);
  const dropped = new Set(without(json));
  const isDropped = (edit: Place) => hasMore(edit, below) && !isWithin(edit.path.join('.'), dropped);
  return {
    ...file,
    mayHave: () => true,
    has: (path) => valueAt(json, placeIn(path, below)) !== undefined,
    wanted: (edits) => {
      const placed = edits.map(({ path, value }) => ({ path: placeIn(path, below), value }));
      return withDrops(documentWith(json, placed), edits.filter(isDropped));
    },
    pathsOf: (edit) => [placeIn(edit.path, below), ...(isDropped(edit) ? [[WITHOUT]] : [])],
    withText: (text) => sourceOfOverlay({ ...file, text }, below),
  };
}

/** Where an overlay says something of a block: under `add`, where what lies below does not have the block. */
function placeIn(path: Path, below: Json): Path {
  const block = addressAt(path)?.split('.');
  return block === undefined || valueAt(below, block) !== undefined ? path : [ADD, ...path];
}

/** A document with other values. */
export function documentWith(json: Json, edits: readonly Place[]): JsonObject {
  const wanted = withValues(json, edits);
  return isObject(wanted) ? wanted : {};
}

function jsonOf({ name, text }: ManifestText): Json {
  return parseDocuments(name, text)[0].json;
}

/** True when something that lies below would still show: maps are merged. */
function hasMore({ path, value }: Place, below: Json): boolean {
  const now = valueAt(below, path);
  return now !== undefined && (value === undefined || showsThrough(now, value));
}

function showsThrough(below: Json, above: Json): boolean {
  if (!isObject(below) || !isObject(above)) return false;
  return Object.entries(below).some(([key, value]) => {
    const over = Object.hasOwn(above, key) ? above[key] : undefined;
    return over === undefined || showsThrough(value, over);
  });
}

/** What the top of an overlay drops, as it is written. */
function without(json: Json): readonly string[] {
  const given = valueAt(json, [WITHOUT]);
  return isList(given) ? given.filter((path) => typeof path === 'string') : [];
}

/** A path that goes with one around it drops nothing any more. */
function withDrops(json: JsonObject, drops: readonly Place[]): JsonObject {
  if (drops.length === 0) return json;
  const added = new Set(drops.map(({ path }) => path.join('.')));
  const kept = without(json).filter((path) => !isWithin(path, added));
  const widest = [...added].filter((path) => !isInside(path, added));
  return documentWith(json, [{ path: [WITHOUT], value: [...kept, ...widest] }]);
}

function isWithin(path: string, around: ReadonlySet<string>): boolean {
  return around.has(path) || isInside(path, around);
}

/** True for a path below one of these. */
function isInside(path: string, around: ReadonlySet<string>): boolean {
  const keys = path.split('.');
  return keys.some((_, length) => around.has(keys.slice(0, length).join('.')));
}
