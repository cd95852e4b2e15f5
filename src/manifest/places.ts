// Where paths of the merged document came from, and diagnostics at those places.

import type { Code } from '../base/codes.ts';
import type { Diagnostic, SourceRange } from '../base/diagnostic.ts';
import type { Words } from './lines.ts';
import type { ParsedFile } from './parse.ts';
import { pathKey } from './parse.ts';

export interface Places {
  /** Range of the value at the path, or of the nearest block around it. */
  readonly value: (path: readonly string[]) => SourceRange;
  /** Range of the key at the path, or of the value. */
  readonly key: (path: readonly string[]) => SourceRange;
  readonly error: (code: Code, path: readonly string[], words: Words, address?: string) => Diagnostic;
  readonly errorAtKey: (code: Code, path: readonly string[], words: Words, address?: string) => Diagnostic;
}

/** Places over several files; the first file that has the path wins. */
export function placesOf(files: readonly ParsedFile[]): Places {
  const fallback = { file: files[0]?.name ?? '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  const find = (
    path: readonly string[],
    maps: (file: ParsedFile) => readonly ReadonlyMap<string, SourceRange>[],
  ): SourceRange => {
    for (let length = path.length; length > 0; length--) {
      const at = pathKey(path.slice(0, length));
      for (const file of files) {
        for (const map of length === path.length ? maps(file) : [file.keyRanges, file.valueRanges]) {
          const range = map.get(at);
          if (range !== undefined) return range;
        }
      }
    }
    return fallback;
  };
  const value = (path: readonly string[]) => find(path, (file) => [file.valueRanges, file.keyRanges]);
  const key = (path: readonly string[]) => find(path, (file) => [file.keyRanges, file.valueRanges]);
  const make = (range: SourceRange, code: Code, words: Words, address?: string): Diagnostic => ({
    code,
    severity: 'error',
    range,
    ...words,
    ...(address !== undefined && { address }),
  });
  return {
    value,
    key,
    error: (code, path, words, address) => make(value(path), code, words, address),
    errorAtKey: (code, path, words, address) => make(key(path), code, words, address),
  };
}
