// Checks the structure of each file against the schema, separately, so that positions are right. Invalid parts are marked as
// unknown, so that later stages do not report them again.

import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, mapObject, type Json } from '../core/json.ts';
import { validateManifestDocument } from '../schema/validate.ts';
import type { SchemaProblem } from '../schema/schema-problems.ts';
import type { ParsedFile } from './text/parse.ts';
import { buildSourceMap, type SourceMap } from './source-map.ts';
import { pathKey, type UnknownValues } from './unknown-values.ts';

interface StructureResult {
  readonly diagnostics: readonly Diagnostic[];
  /** The file with obvious mistakes corrected. */
  readonly file: ParsedFile;
}

/** Every problem in the structure of one file. */
export function checkStructure(file: ParsedFile): StructureResult {
  const { json, unknownValues } = file;
  if (unknownValues.has([])) return { diagnostics: [], file };
  const { numberText } = buildSourceMap([file]);
  const problems = validateManifestDocument(json, numberText);
  const mends = problems.filter((one) => one.meant !== undefined && !unknownValues.has(one.path));
  const mended = mends.length === 0 ? file : applyMends(file, mends);
  const places = buildSourceMap([mended]);
  // Unknown names first: a field that was only misspelled is not missing.
  const wrongNames = problems.filter(({ code }) => code === 'unknown-field');
  const others = problems.filter(({ code }) => code !== 'unknown-field');
  const left = mended === file ? [] : validateManifestDocument(mended.json, numberText).filter(isAt(mends));
  const diagnostics = [...wrongNames, ...others, ...left].flatMap((problem) => {
    if (isExplained(problem, unknownValues)) return [];
    note(problem, unknownValues);
    return [diagnosticOf(problem, places)];
  });
  return { diagnostics, file: mended };
}

function applyMends(file: ParsedFile, mends: readonly SchemaProblem[]): ParsedFile {
  const items = new Map<string, SourceRange>();
  const values = new Map<string, Json>();
  for (const { path, meant = null } of mends) {
    values.set(pathKey(path), meant);
    const range = file.valueRange(path);
    if (isList(meant) && range !== undefined) items.set(pathKey([...path, '0']), range);
  }
  const valueRange = (path: readonly string[]) => items.get(pathKey(path)) ?? file.valueRange(path);
  return { ...file, json: withValues(file.json, [], values), valueRange };
}

/** The JSON with other values at some paths, by `pathKey`. */
function withValues(json: Json, path: readonly string[], values: ReadonlyMap<string, Json>): Json {
  const other = values.get(pathKey(path));
  if (other !== undefined) return other;
  if (isList(json)) return json.map((item, index) => withValues(item, [...path, String(index)], values));
  if (!isObject(json)) return json;
  return mapObject(json, (inner, name) => withValues(inner, [...path, name], values));
}

/** Matches problems of the corrected values, and of the item in a list of one. */
function isAt(mends: readonly SchemaProblem[]): (problem: SchemaProblem) => boolean {
  const keys = new Set(mends.map(({ path }) => pathKey(path)));
  return ({ path }) => keys.has(pathKey(path)) || keys.has(pathKey(path.slice(0, -1)));
}

/** True for a consequence of something that is wrong or could not be read. */
function isExplained({ path, missing, code }: SchemaProblem, unread: UnknownValues): boolean {
  if (unread.has(path)) return true;
  if (missing !== undefined) return unread.mayHave([...path, missing]);
  return code === 'choose-one' && unread.mayHave([...path, '']);
}

function note({ path, missing, near, code, meant }: SchemaProblem, unread: UnknownValues): void {
  if (meant !== undefined) return;
  if (missing !== undefined) unread.add([...path, missing]);
  // Every alternative can still be checked, and so can a value with an invalid name.
  else if (code !== 'choose-one' && code !== 'bad-name') unread.add(path);
  if (near !== undefined) unread.add([...path.slice(0, -1), near]);
}

function diagnosticOf(
  { path, code, atKey, missing: _, near: _near, meant: _meant, ...words }: SchemaProblem,
  places: SourceMap,
): Diagnostic {
  return atKey === true ? places.errorAtKey(code, path, words) : places.error(code, path, words);
}
