// Maps paths of the merged document to source positions, and builds diagnostics there.

import type { Path } from '../core/json.ts';
import { addressAt } from '../catalog/address.ts';
import type { Code } from '../core/codes.ts';
import type { Diagnostic, SourceRange, ProblemText } from '../core/diagnostic.ts';
import type { ParsedFile } from './text/parse.ts';
import { pathKey } from './unknown-values.ts';

type RangeOf = (path: Path) => SourceRange | undefined;

export interface SourceMap {
  /** Range of the value at the path, or of the nearest enclosing block. */
  readonly value: (path: Path) => SourceRange;
  readonly key: (path: Path) => SourceRange;
  /** The source text of the number at the path, if it is not in JSON notation. */
  readonly numberText: (path: Path) => string | undefined;
  readonly error: (code: Code, path: Path, words: ProblemText, address?: string) => Diagnostic;
  readonly errorAtKey: (code: Code, path: Path, words: ProblemText, address?: string) => Diagnostic;
}

/** The file of a section's entry, and the entry's path in that file. */
export interface Origin {
  readonly file: ParsedFile;
  readonly path: Path;
}

/** Origins of entries, by the `pathKey` of section and name, or of section and index in the merged list. */
type SectionOrigins = ReadonlyMap<string, Origin>;

/** A source map over several files. Without a known origin, the first file that has the path wins. */
export function buildSourceMap(files: readonly ParsedFile[], origins: SectionOrigins = new Map()): SourceMap {
  const fallback = { file: files[0]?.name ?? '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  const originOf = (path: Path) => (path.length < 2 ? undefined : origins.get(pathKey(path.slice(0, 2))));
  const find = (path: Path, ways: (file: ParsedFile) => readonly RangeOf[]): SourceRange => {
    const origin = originOf(path);
    const own = origin === undefined ? path : [...origin.path, ...path.slice(2)];
    for (let length = own.length; length > 0; length--) {
      const at = length === own.length ? own : own.slice(0, length);
      for (const file of origin === undefined ? files : [origin.file]) {
        for (const rangeOf of length === own.length ? ways(file) : [file.keyRange, file.valueRange]) {
          const range = rangeOf(at);
          if (range !== undefined) return range;
        }
      }
    }
    return origin === undefined ? fallback : { ...fallback, file: origin.file.name };
  };
  const value = (path: Path) => find(path, (file) => [file.valueRange, file.keyRange]);
  const key = (path: Path) => find(path, (file) => [file.keyRange, file.valueRange]);
  const make = (range: SourceRange, code: Code, words: ProblemText, address?: string): Diagnostic => ({
    code,
    severity: 'error',
    range,
    ...words,
    ...(address !== undefined && { address }),
  });
  return {
    value,
    key,
    numberText: (path) => {
      const { file, path: own } = originOf(path) ?? { file: files[0], path };
      return file?.numberText([...own, ...(originOf(path) === undefined ? [] : path.slice(2))]);
    },
    error: (code, path, words, address = addressAt(path)) => make(value(path), code, words, address),
    errorAtKey: (code, path, words, address = addressAt(path)) => make(key(path), code, words, address),
  };
}
