// The document of a fleet file, with the problems that are found in it: texts and paths at their places.

import { dirname, isAbsolute, join } from 'node:path';
import type { Code } from '../core/codes.ts';
import type { Diagnostic, ProblemText } from '../core/diagnostic.ts';
import { isList, type Json, type Path } from '../core/json.ts';
import { buildSourceMap, type SourceMap } from '../manifest/source-map.ts';
import type { ParsedFile } from '../manifest/text/parse.ts';

export interface FleetInput {
  /** Path of the file, relative to the working directory. */
  readonly name: string;
  readonly text: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders and manifest files that a pattern matches; throws `FileError`. */
  readonly stacksLike: (pattern: string) => readonly string[];
  /** True for paths that a fleet file may name; whoever writes the file must not read everything. */
  readonly isAllowed: (path: string) => boolean;
}

export class FleetDocument {
  readonly input: FleetInput;
  readonly file: ParsedFile;
  readonly places: SourceMap;
  readonly found: Diagnostic[];

  constructor(input: FleetInput, file: ParsedFile, found: Diagnostic[]) {
    this.input = input;
    this.file = file;
    this.places = buildSourceMap([file]);
    this.found = found;
  }

  report(code: Code, path: Path, words: ProblemText): void {
    this.found.push(this.places.error(code, path, words));
  }

  /** Says what is wrong with the value at a path, in place of what its form alone shows. */
  reword(path: Path, words: ProblemText): void {
    const { line, column } = this.places.value(path);
    const at = this.found.findIndex(({ code, range }) => {
      return code === 'wrong-value' && range?.line === line && range.column === column;
    });
    if (at >= 0) this.found[at] = this.places.error('wrong-value', path, words);
  }

  /** The text at a path, unless it is wrong already. */
  text(json: Json | undefined, path: Path): string | undefined {
    return typeof json === 'string' && !this.file.unknownValues.has(path) ? json : undefined;
  }

  /** A path of the file, from the working directory; undefined if it is refused. */
  path(json: Json | undefined, path: Path): string | undefined {
    const text = this.text(json, path);
    if (text === undefined) return undefined;
    const full = isAbsolute(text) ? text : join(dirname(this.input.name), text);
    return this.isAllowed(full, path) ? full : undefined;
  }

  isAllowed(full: string, path: Path): boolean {
    const isAllowed = this.input.isAllowed(full);
    if (!isAllowed)
      this.report('file-outside-root', path, {
        message: `${JSON.stringify(full)} is outside the folder of the fleet file and the working directory`,
        fix: 'move it below one of them',
      });
    return isAllowed;
  }

  /** Those of a list that are not refused. */
  paths(json: Json | undefined, path: Path): string[] {
    return listOf(json).flatMap((item, index) => this.path(item, [...path, String(index)]) ?? []);
  }
}

export function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isList(json) ? json : [];
}
