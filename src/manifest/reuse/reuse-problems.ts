// What the blocks of a stack share while presets and overlays are laid in, and how a problem of theirs is told.

import type { Code } from '../../core/codes.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import type { Path } from '../../core/json.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import type { DroppedPath } from './cuts.ts';
import type { Presets } from './presets.ts';

export interface Reuse {
  readonly presets: Presets;
  readonly diagnostics: Diagnostic[];
  /** Every entry of `without`. */
  readonly drops: DroppedPath[];
  /** Uses of presets so far, and the characters that they brought. */
  readonly spent: { uses: number; characters: number };
}

/** A value of a file. */
export interface ValueInFile {
  readonly file: ParsedFile;
  readonly path: Path;
}

export function complain({ diagnostics }: Reuse, { file, path }: ValueInFile, code: Code, words: ProblemText): void {
  diagnostics.push(buildSourceMap([file]).error(code, path, words));
}
