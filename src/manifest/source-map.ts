// Maps paths of the merged document to source positions, and builds diagnostics there.

import type { Path } from '../core/json.ts';
import { addressAt } from '../catalog/address.ts';
import type { Code } from '../core/codes.ts';
import type { Diagnostic, SourceRange, ProblemText } from '../core/diagnostic.ts';
import type { ParsedFile } from './text/parse.ts';
import { pathKey } from './unknown-values.ts';
import type { Use } from './use.ts';

export interface SourceMap {
  /** Range of the value at the path, or of the nearest enclosing block. */
  readonly value: (path: Path) => SourceRange;
  readonly key: (path: Path) => SourceRange;
  /** The source text of the number at the path, if it is not in JSON notation. */
  readonly numberText: (path: Path) => string | undefined;
  /** The file of the manifest that the path belongs to, also where a preset or overlay brought its value. */
  readonly file: (path: Path) => string;
  readonly error: (code: Code, path: Path, words: ProblemText, address?: string) => Diagnostic;
  readonly warning: (code: Code, path: Path, words: ProblemText, address?: string) => Diagnostic;
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
  const ranges = new Ranges(files, origins);
  const value = (path: Path) => ranges.of(path, 'value');
  const key = (path: Path) => ranges.of(path, 'key');
  const concerned = (path: Path, address = addressAt(path)) => ({ address, uses: ranges.usesAt(path) });
  return {
    value,
    key,
    numberText: (path) => ranges.numberText(path),
    file: (path) => ranges.file(path),
    error: (code, path, words, address) => problemAt(value(path), code, words, concerned(path, address)),
    warning: (code, path, words, address) => {
      return { ...problemAt(value(path), code, words, concerned(path, address)), severity: 'warning' };
    },
    errorAtKey: (code, path, words, address) => problemAt(key(path), code, words, concerned(path, address)),
  };
}

interface Concerned {
  readonly address: string | undefined;
  readonly uses: readonly Use[];
}

function problemAt(range: SourceRange, code: Code, words: ProblemText, { address, uses }: Concerned): Diagnostic {
  return {
    code,
    severity: 'error',
    range,
    ...words,
    ...(address !== undefined && { address }),
    ...(uses.length > 0 && { uses: uses.map((use) => ({ message: useText(use, address), range: use.range() })) }),
  };
}

function useText({ kind, name }: Use, address: string | undefined): string {
  const by = address === undefined ? '' : ` by ${address}`;
  return kind === 'preset' ? `used here${by}` : `${name} is laid over this`;
}

/** A path in the files that may have it. */
interface PathInFiles {
  readonly files: readonly ParsedFile[];
  readonly path: Path;
}

/** The part of an entry that a range is about; the other one where there is none. */
type EntryPart = 'key' | 'value';

/** Ranges of paths of the merged document. */
class Ranges {
  readonly #files: readonly ParsedFile[];
  readonly #origins: SectionOrigins;

  constructor(files: readonly ParsedFile[], origins: SectionOrigins) {
    this.#files = files;
    this.#origins = origins;
  }

  /** The range at the path, or that of the nearest enclosing block, which its key shows. */
  of(path: Path, part: EntryPart): SourceRange {
    const { files, path: own } = this.#inFiles(path);
    for (let length = own.length; length > 0; length--) {
      const isWhole = length === own.length;
      const range = firstRange(files, isWhole ? own : own.slice(0, length), isWhole ? part : 'key');
      if (range !== undefined) return range;
    }
    return { file: files[0]?.name ?? '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  }

  numberText(path: Path): string | undefined {
    const { files, path: own } = this.#inFiles(path);
    return files[0]?.numberText(own);
  }

  /** The file of the manifest that the path belongs to, also where a preset or overlay brought its value. */
  file(path: Path): string {
    const { files, path: own } = this.#inFiles(path);
    const holder = files.find((file) => file.valueRange(own) !== undefined) ?? files[0];
    return holder?.name ?? '';
  }

  /** How the value at the path, or the nearest block around it, came there. */
  usesAt(path: Path): readonly Use[] {
    const { files, path: own } = this.#inFiles(path);
    for (const file of files) {
      if (file.usesAt === undefined) continue;
      for (let length = own.length; length >= 2; length--) {
        const at = own.slice(0, length);
        if (file.valueRange(at) !== undefined) return file.usesAt(at);
      }
    }
    return [];
  }

  #inFiles(path: Path): PathInFiles {
    const origin = path.length < 2 ? undefined : this.#origins.get(pathKey(path.slice(0, 2)));
    if (origin === undefined) return { files: this.#files, path };
    return { files: [origin.file], path: [...origin.path, ...path.slice(2)] };
  }
}

function firstRange(files: readonly ParsedFile[], path: Path, part: EntryPart): SourceRange | undefined {
  for (const file of files) {
    const range =
      part === 'value'
        ? (file.valueRange(path) ?? file.keyRange(path))
        : (file.keyRange(path) ?? file.valueRange(path));
    if (range !== undefined) return range;
  }
  return undefined;
}
