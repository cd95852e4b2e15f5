// The structure of one file, judged by the schema: each file by itself, so that a problem is where it was written. What is
// wrong is noted as not known, so that nothing later speaks of it again.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { Json } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import { validateManifestDocument } from '../schema/validate.ts';
import type { SchemaProblem } from '../schema/words.ts';
import type { ParsedFile } from './text/parse.ts';
import type { Places } from './places.ts';
import { placesOf } from './places.ts';
import type { Unread } from './unread.ts';
import { pathKey } from './unread.ts';

interface Judged {
  readonly diagnostics: readonly Diagnostic[];
  /** The file with what was surely meant in the place of what was written. */
  readonly file: ParsedFile;
}

/** Everything that is wrong with the structure of one file. */
export function checkStructure(file: ParsedFile): Judged {
  const { json, unread } = file;
  if (unread.has([])) return { diagnostics: [], file };
  const { numberText } = placesOf([file]);
  const problems = validateManifestDocument(json, numberText);
  const mends = problems.filter((one) => one.meant !== undefined && !unread.has(one.path));
  const mended = mends.length === 0 ? file : mend(file, mends);
  const places = placesOf([mended]);
  // Wrong names first: what one of them was meant to be is not missing.
  const wrongNames = problems.filter(({ code }) => code === 'unknown-field');
  const others = problems.filter(({ code }) => code !== 'unknown-field');
  const left = mended === file ? [] : validateManifestDocument(mended.json, numberText).filter(isAt(mends));
  const diagnostics = [...wrongNames, ...others, ...left].flatMap((problem) => {
    if (isExplained(problem, unread)) return [];
    note(problem, unread);
    return [diagnosticOf(problem, places)];
  });
  return { diagnostics, file: mended };
}

function mend(file: ParsedFile, mends: readonly SchemaProblem[]): ParsedFile {
  const valueRanges = new Map(file.valueRanges);
  const values = new Map<string, Json>();
  for (const { path, meant = null } of mends) {
    values.set(pathKey(path), meant);
    const range = valueRanges.get(pathKey(path));
    if (isList(meant) && range !== undefined) valueRanges.set(pathKey([...path, '0']), range);
  }
  return { ...file, json: withValues(file.json, [], values), valueRanges };
}

/** The same with other values at some paths, by `pathKey`. */
function withValues(json: Json, path: readonly string[], values: ReadonlyMap<string, Json>): Json {
  const other = values.get(pathKey(path));
  if (other !== undefined) return other;
  if (isList(json)) return json.map((item, index) => withValues(item, [...path, String(index)], values));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, inner]) => [name, withValues(inner ?? null, [...path, name], values)]),
  );
}

/** Tells what is wrong with the mended values, too, and with the one in a list of one. */
function isAt(mends: readonly SchemaProblem[]): (problem: SchemaProblem) => boolean {
  const keys = new Set(mends.map(({ path }) => pathKey(path)));
  return ({ path }) => keys.has(pathKey(path)) || keys.has(pathKey(path.slice(0, -1)));
}

/** True for what follows from something that is wrong or could not be read. */
function isExplained({ path, missing, code }: SchemaProblem, unread: Unread): boolean {
  if (unread.has(path)) return true;
  if (missing !== undefined) return unread.mayHave([...path, missing]);
  return code === 'choose-one' && unread.mayHave([...path, '']);
}

function note({ path, missing, near, code, meant }: SchemaProblem, unread: Unread): void {
  if (meant !== undefined) return;
  if (missing !== undefined) unread.add([...path, missing]);
  // Each of the choices can be judged, and so can what has a name that it cannot have.
  else if (code !== 'choose-one' && code !== 'bad-name') unread.add(path);
  if (near !== undefined) unread.add([...path.slice(0, -1), near]);
}

function diagnosticOf(
  { path, code, atKey, missing: _, near: _near, meant: _meant, ...words }: SchemaProblem,
  places: Places,
): Diagnostic {
  return atKey === true ? places.errorAtKey(code, path, words) : places.error(code, path, words);
}
