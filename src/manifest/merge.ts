// Several files → one document: maps are joined, lists appended, and anything given twice is an error naming both places.

import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import type { ParsedFile } from './parse.ts';
import { pathKey } from './parse.ts';
import { placesOf } from './places.ts';

export interface Merged {
  readonly document: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Keys that every file may repeat, as long as they agree. */
const SHARED = ['version', 'stack'];

/** Joins the documents of one stack. */
export function mergeFiles(files: readonly ParsedFile[]): Merged {
  const document: Record<string, Json> = {};
  const diagnostics: Diagnostic[] = [];
  const owners = new Map<string, ParsedFile>();
  for (const file of files) {
    if (!isObject(file.json)) continue;
    for (const [key, value] of Object.entries(file.json)) {
      const before = document[key];
      if (before === undefined) document[key] = value;
      else if (isList(before) && isList(value)) document[key] = [...before, ...value];
      else if (isObject(before) && isObject(value))
        document[key] = { ...before, ...fresh(key, before, value, { file, owners, diagnostics }) };
      else if (SHARED.includes(key) && before !== value) diagnostics.push(disagreement(key, file));
      if (isObject(value))
        for (const name of Object.keys(value))
          if (!owners.has(pathKey([key, name]))) owners.set(pathKey([key, name]), file);
    }
  }
  return { document, diagnostics };
}

interface Joining {
  readonly file: ParsedFile;
  readonly owners: ReadonlyMap<string, ParsedFile>;
  readonly diagnostics: Diagnostic[];
}

/** The entries that were not there before; the others are reported. */
function fresh(
  section: string,
  before: JsonObject,
  value: JsonObject,
  { file, owners, diagnostics }: Joining,
): JsonObject {
  const names = Object.keys(value).filter((name) => {
    if (!Object.hasOwn(before, name)) return true;
    const path = [section, name];
    const first = owners.get(pathKey(path));
    const places = placesOf([file]);
    diagnostics.push({
      ...places.errorAtKey(
        'duplicate-address',
        path,
        { message: `${section}.${name} is given in two files`, fix: 'rename or remove one of them' },
        `${section}.${name}`,
      ),
      ...(first !== undefined && { related: [{ message: 'first given here', range: placesOf([first]).key(path) }] }),
    });
    return false;
  });
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}

function disagreement(key: string, file: ParsedFile): Diagnostic {
  return placesOf([file]).error('stack-mismatch', [key], {
    message: `${key} differs from that of another file`,
    fix: 'files of one stack must agree; give other stacks a folder of their own',
  });
}
