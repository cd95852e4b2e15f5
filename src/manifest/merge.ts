// Several files → one document: joins maps, appends lists, and reports anything defined twice with both places.

import type { Diagnostic } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import { valueAt } from '../core/value.ts';
import { FIX_OF_SECOND_PLACE } from '../schema/habits.ts';
import type { ParsedFile } from './text/parse.ts';
import { buildSourceMap, type Drop, type Origin, type SourceMap } from './source-map.ts';
import { pathKey, UnknownValues } from './unknown-values.ts';

export interface Merged {
  readonly document: JsonObject;
  readonly sourceMap: SourceMap;
  /** Parts of the document that are unknown or already known to be wrong. */
  readonly unknownValues: UnknownValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** Keys that every file may repeat with the same value. */
const SHARED = ['version', 'stack'];

interface Joining {
  /** Lists and maps by name, extended in place until all files are joined: copying them for each file would be quadratic. */
  readonly sections: Map<string, Json | Json[] | Map<string, Json>>;
  readonly origins: Map<string, Origin>;
  readonly diagnostics: Diagnostic[];
}

/** Joins the documents of one stack; `drops` is what `without` has dropped of them, by its path. */
export function mergeFiles(files: readonly ParsedFile[], drops: ReadonlyMap<string, Drop> = new Map()): Merged {
  const joining: Joining = { sections: new Map(), origins: new Map(), diagnostics: [] };
  for (const file of files)
    for (const [key, value] of Object.entries(isObject(file.json) ? file.json : {}))
      if (!file.unknownValues.has([key])) joinSection(key, value, file, joining);
  const { sections, origins, diagnostics } = joining;
  const document = Object.fromEntries(
    [...sections].map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
  const unread = new UnknownValues((path) => valueAt(document, path) !== undefined);
  for (const file of files) takeOver(file, joining, unread);
  return { document, sourceMap: buildSourceMap(files, origins, drops), unknownValues: unread, diagnostics };
}

function joinSection(key: string, value: Json, file: ParsedFile, joining: Joining): void {
  const { sections, origins, diagnostics } = joining;
  const before = sections.get(key);
  if (isList(value)) {
    const list: Json[] = Array.isArray(before) ? before : [];
    for (const [index, item] of value.entries()) {
      origins.set(pathKey([key, String(list.length)]), { file, path: [key, String(index)] });
      list.push(item);
    }
    sections.set(key, list);
  } else if (isObject(value)) {
    const map = before instanceof Map ? before : new Map<string, Json>();
    for (const [name, item] of Object.entries(value)) if (isFirst([key, name], file, joining)) map.set(name, item);
    sections.set(key, map);
  } else if (before === undefined) sections.set(key, value);
  else if (SHARED.includes(key) && before !== value) diagnostics.push(disagreement(key, file));
}

/** True for a new entry; a repeated one is reported. */
function isFirst(path: readonly string[], file: ParsedFile, { origins, diagnostics }: Joining): boolean {
  const key = pathKey(path);
  const first = origins.get(key);
  if (first === undefined) {
    origins.set(key, { file, path });
    return true;
  }
  const address = path.join('.');
  const words = { message: `${address} is given in two files`, fix: FIX_OF_SECOND_PLACE };
  diagnostics.push({
    ...buildSourceMap([file]).errorAtKey('duplicate-address', path, words, address),
    related: [{ message: 'first given here', range: buildSourceMap([first.file]).key(first.path) }],
  });
  return false;
}

/** Unknown parts of a file are unknown in the document; a section that several files have may have more entries. */
function takeOver(file: ParsedFile, { sections, origins }: Joining, unread: UnknownValues): void {
  const indexes = lazy(() => {
    const own = [...origins].filter(([, { file: from }]) => from === file);
    return new Map(own.map(([key, { path }]) => [pathKey(path), key.split('\0').slice(1)]));
  });
  unread.takeOver(file.unknownValues, (path) => {
    if (path.length < 2) return { path, isThere: path.length === 0 || sections.has(path[0] ?? '') };
    const start = indexes().get(pathKey(path.slice(0, 2)));
    if (start !== undefined) return { path: [...start, ...path.slice(2)], isThere: false };
    // An entry that is not in the document: it could not be read, or another file defines the same name.
    return origins.has(pathKey(path.slice(0, 2))) ? undefined : { path, isThere: false };
  });
}

function disagreement(key: string, file: ParsedFile): Diagnostic {
  return buildSourceMap([file]).error('stack-mismatch', [key], {
    message: `${key} differs from the one in another file`,
    fix: 'files of one stack must agree; put other stacks into their own folders',
  });
}
