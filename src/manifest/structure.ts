// Checks the structure of each file against the schema, separately, so that positions are right. Invalid parts are marked as
// unknown, so that later stages do not report them again.

import type { Diagnostic } from '../core/diagnostic.ts';
import { MAX_SCHEMA_PROBLEMS, validateManifestDocument } from '../schema/validate.ts';
import type { SchemaProblem } from '../schema/schema-problems.ts';
import type { ParsedFile } from './text/parse.ts';
import { buildSourceMap, type SourceMap } from './source-map.ts';
import type { UnknownValues } from './unknown-values.ts';

/** Every problem in the structure of one file. */
export function checkStructure(
  file: ParsedFile,
  validate: typeof validateManifestDocument = validateManifestDocument,
): readonly Diagnostic[] {
  const { json, unknownValues } = file;
  if (unknownValues.has([])) return [];
  const places = buildSourceMap([file]);
  const problems = validate(json, places.numberText);
  const described = problems.slice(0, MAX_SCHEMA_PROBLEMS);
  // Unknown names first: a field that was only misspelled is not missing.
  const wrongNames = described.filter(({ code }) => code === 'unknown-field');
  const others = described.filter(({ code }) => code !== 'unknown-field');
  const diagnostics = [...wrongNames, ...others].flatMap((problem) => {
    if (isExplained(problem, unknownValues)) return [];
    note(problem, unknownValues);
    return [diagnosticOf(problem, places)];
  });
  const next = problems[MAX_SCHEMA_PROBLEMS];
  if (next === undefined) return diagnostics;
  // What else is wrong is not known, so that nothing can be said of the rest.
  unknownValues.add([]);
  return [...diagnostics, places.error(next.code, next.path, TOO_MANY)];
}

const TOO_MANY = {
  message: `the file has more than ${MAX_SCHEMA_PROBLEMS} errors, and is not checked any further`,
  fix: 'correct these first',
};

/** True for a consequence of something that is wrong or could not be read. */
function isExplained({ path, missing, code }: SchemaProblem, unread: UnknownValues): boolean {
  if (unread.has(path)) return true;
  if (missing !== undefined) return unread.mayHave([...path, missing]);
  return code === 'choose-one' && unread.mayHave([...path, '']);
}

function note({ path, missing, near, code }: SchemaProblem, unread: UnknownValues): void {
  if (missing !== undefined) unread.add([...path, missing]);
  // Every alternative can still be checked, and so can a value with an invalid name.
  else if (code !== 'choose-one' && code !== 'bad-name') unread.add(path);
  if (near !== undefined) unread.add([...path.slice(0, -1), near]);
}

function diagnosticOf(
  { path, code, atKey, missing: _, near: _near, ...words }: SchemaProblem,
  places: SourceMap,
): Diagnostic {
  return atKey === true ? places.errorAtKey(code, path, words) : places.error(code, path, words);
}
