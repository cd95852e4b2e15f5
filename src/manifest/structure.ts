// The structure of one file, judged by the schema: each file by itself, so that a problem is where it was written. What is
// wrong is noted as not known, so that nothing later speaks of it again.

import type { Diagnostic } from '../base/diagnostic.ts';
import { validateManifestDocument } from '../schema/validate.ts';
import type { SchemaProblem } from '../schema/words.ts';
import type { ParsedFile } from './parse.ts';
import type { Places } from './places.ts';
import { placesOf } from './places.ts';
import type { Unread } from './unread.ts';

/** Everything that is wrong with the structure of one file. */
export function checkStructure(file: ParsedFile): Diagnostic[] {
  const { json, unread } = file;
  if (unread.has([])) return [];
  const places = placesOf([file]);
  const problems = validateManifestDocument(json, places.numberText);
  // Wrong names first: what one of them was meant to be is not missing.
  const wrongNames = problems.filter(({ code }) => code === 'unknown-field');
  const others = problems.filter(({ code }) => code !== 'unknown-field');
  return [...wrongNames, ...others].flatMap((problem) => {
    if (isExplained(problem, unread)) return [];
    note(problem, unread);
    return [diagnosticOf(problem, places)];
  });
}

/** True for what follows from something that is wrong or could not be read. */
function isExplained({ path, missing, code }: SchemaProblem, unread: Unread): boolean {
  if (unread.has(path)) return true;
  if (missing !== undefined) return unread.mayHave([...path, missing]);
  return code === 'choose-one' && unread.mayHave([...path, '']);
}

function note({ path, missing, near, code }: SchemaProblem, unread: Unread): void {
  if (missing !== undefined) unread.add([...path, missing]);
  // Each of the choices can be judged, and so can what has a name that it cannot have.
  else if (code !== 'choose-one' && code !== 'bad-name') unread.add(path);
  if (near !== undefined) unread.add([...path.slice(0, -1), near]);
}

function diagnosticOf(
  { path, code, atKey, missing: _, near: _near, ...words }: SchemaProblem,
  places: Places,
): Diagnostic {
  return atKey === true ? places.errorAtKey(code, path, words) : places.error(code, path, words);
}
