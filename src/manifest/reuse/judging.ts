// Where the problems of presets and overlays go, and how one of them is told.

import type { Code } from '../../core/codes.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import type { Path } from '../../core/json.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';

export interface Judging {
  readonly diagnostics: Diagnostic[];
  /** True where an entry may exist in a part that could not be read. */
  readonly mayHave: (path: Path) => boolean;
}

/** A value of a file. */
export interface ValueInFile {
  readonly file: ParsedFile;
  readonly path: Path;
}

type Problems = Pick<Judging, 'diagnostics'>;

export function complain({ diagnostics }: Problems, { file, path }: ValueInFile, code: Code, words: ProblemText): void {
  diagnostics.push(buildSourceMap([file]).error(code, path, words));
}

/** The same, at the key of an entry. */
export function complainAtKey(
  { diagnostics }: Problems,
  { file, path }: ValueInFile,
  code: Code,
  words: ProblemText,
): void {
  diagnostics.push(buildSourceMap([file]).errorAtKey(code, path, words));
}
