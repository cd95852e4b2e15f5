// Checks the structure of each file against the schema, separately, so that positions are right. Invalid parts are marked as
// unknown, so that later stages do not report them again.

import { parseAddress } from '../catalog/address.ts';
import { hasKey, managedKinds } from '../catalog/lookup.ts';
import type { Diagnostic, ProblemText } from '../core/diagnostic.ts';
import type { Path } from '../core/json.ts';
import { MAX_SCHEMA_PROBLEMS, validateManifestDocument } from '../schema/validate.ts';
import type { SchemaProblem } from '../schema/schema-problems.ts';
import type { ParsedFile } from './text/parse.ts';
import { buildSourceMap, ofAbsent, type Drop, type SourceMap } from './source-map.ts';
import type { UnknownValues } from './unknown-values.ts';

/** Every problem in the structure of one file; `drops` is what `without` has dropped of it. */
export function checkStructure(
  file: ParsedFile,
  validate: typeof validateManifestDocument = validateManifestDocument,
  drops: ReadonlyMap<string, Drop> = new Map(),
): readonly Diagnostic[] {
  const { json, unknownValues } = file;
  if (unknownValues.has([])) return [];
  const places = buildSourceMap([file], undefined, drops);
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
  { path, code, atKey, missing, near: _near, ...words }: SchemaProblem,
  places: SourceMap,
): Diagnostic {
  const said = code === 'unknown-field' ? forPreset(words, path, places) : words;
  const problem = atKey === true ? places.errorAtKey(code, path, said) : places.error(code, path, said);
  return missing === undefined ? problem : ofAbsent(problem, places.dropOf([...path, missing]));
}

/** A preset may be for blocks of several kinds: a field that only another kind has is right there, and wrong in the block that uses it. */
function forPreset(words: ProblemText, path: Path, places: SourceMap): ProblemText {
  const key = path.at(-1) ?? '';
  const isOfBlock = parseAddress(path.slice(0, -1).join('.')) !== undefined && places.isOfPreset(path);
  if (!isOfBlock || !managedKinds.some((kind) => hasKey(kind, key))) return words;
  return { ...words, fix: `drop it in the block: without: [${key}]; or use another preset there` };
}
