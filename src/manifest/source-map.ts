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
  /** What has dropped a value that is not there. */
  readonly dropOf: (path: Path) => Drop | undefined;
  /** The places that use what stands at the path, for problems that are built elsewhere. */
  readonly uses: (path: Path, address?: string) => Pick<Diagnostic, 'uses'>;
  /** True for a value that a preset brought. */
  readonly isOfPreset: (path: Path) => boolean;
}

/** The file of a section's entry, and the entry's path in that file. */
export interface Origin {
  readonly file: ParsedFile;
  readonly path: Path;
}

/** An entry of `without`, which drops a value from what lies below. */
export interface Drop {
  /** As written. */
  readonly text: string;
  readonly range: () => SourceRange;
}

/** By the `pathKey` of what they drop. */
type Drops = ReadonlyMap<string, Drop>;

/** Origins of entries, by the `pathKey` of section and name, or of section and index in the merged list. */
type SectionOrigins = ReadonlyMap<string, Origin>;

/** A source map over several files. Without a known origin, the first file that has the path wins. */
export function buildSourceMap(
  files: readonly ParsedFile[],
  origins: SectionOrigins = new Map(),
  drops: Drops = new Map(),
): SourceMap {
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
    dropOf: (path) => dropOf(path, drops),
    uses: (path, address) => usesOf(concerned(path, address)),
    isOfPreset: (path) => ranges.usesAt(path).some(({ kind }) => kind === 'preset'),
  };
}

/** The drop of the value, or of one around it. */
function dropOf(path: Path, drops: Drops): Drop | undefined {
  if (drops.size === 0) return undefined;
  const lengths = Array.from({ length: path.length }, (_, index) => index + 1);
  return lengths.map((length) => drops.get(pathKey(path.slice(0, length)))).find((drop) => drop !== undefined);
}

/** A problem of something that is not there. If `without` drops it, adding it would not help: the entry is what has to go. */
export function ofAbsent(problem: Diagnostic, drop: Drop | undefined): Diagnostic {
  if (drop === undefined) return problem;
  const related = [...(problem.related ?? []), { message: 'dropped here', range: drop.range() }];
  return { ...problem, related, fix: `remove ${JSON.stringify(drop.text)} from \`without\`` };
}

interface Concerned {
  readonly address: string | undefined;
  readonly uses: readonly Use[];
}

function problemAt(range: SourceRange, code: Code, words: ProblemText, concerned: Concerned): Diagnostic {
  const { address } = concerned;
  return { code, severity: 'error', range, ...words, ...(address !== undefined && { address }), ...usesOf(concerned) };
}

function usesOf({ address, uses }: Concerned): Pick<Diagnostic, 'uses'> {
  if (uses.length === 0) return {};
  return { uses: uses.map((use) => ({ message: useText(use, address), range: use.range() })) };
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
