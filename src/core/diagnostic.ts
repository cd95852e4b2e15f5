// Problems as values: what, where, why and how to fix it. How they are shown is decided elsewhere.

import type { Code } from './codes.ts';
import { compareText } from './json.ts';

type Severity = 'error' | 'warning';

/** A place in a source file: 1-based line and column, and the end of the marked text. */
export interface SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The file name in a place of a text from standard input. */
export const STANDARD_INPUT = '<stdin>';

/** A file that problems point to, for the lines that they quote. */
export interface QuotedFile {
  readonly text: string;
  /** Places of its secrets, which must not be quoted. Asked only where lines are. */
  readonly secrets: () => readonly SourceRange[];
}

/** By the names of the files. */
export type QuotedFiles = ReadonlyMap<string, QuotedFile>;

/** `file:line:column`, as plans write it. */
export function rangeText({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}

/** The place in `file:line:column`. */
export function rangeIn(source: string | null | undefined): SourceRange | undefined {
  const [, file = '', line, column] = /^(.+):(\d{1,9}):(\d{1,9})$/s.exec(source ?? '') ?? [];
  if (line === undefined || column === undefined) return undefined;
  const start = { line: Number(line), column: Number(column) };
  return { file, ...start, endLine: start.line, endColumn: start.column };
}

/** One problem. `code` is a key of `core/codes.ts`; texts never hold secret values. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly range?: SourceRange;
  /** Other places involved in the problem, such as the first of two duplicates. */
  readonly related?: readonly { readonly message: string; readonly range: SourceRange }[];
  /** Places that use the part of a file in which the problem stands, such as a preset. */
  readonly uses?: readonly { readonly message: string; readonly range: SourceRange }[];
  /** Resource address, when the problem belongs to one. */
  readonly address?: string;
  /** Dotted path of the value inside that resource. */
  readonly path?: string;
  /** Id of the live object that it is about. */
  readonly live_id?: string;
  readonly expected?: string;
  readonly got?: string;
  readonly fix?: string;
}

/** What tells two problems apart, whatever their words are. */
export function identityOf({
  code,
  address = '',
  path = '',
  live_id = '',
}: Pick<Diagnostic, 'code' | 'address' | 'path' | 'live_id'>): string {
  return [code, address, path, live_id].join('\0');
}

/** The texts of a problem, without its code and its place. */
export type ProblemText = Pick<Diagnostic, 'message' | 'expected' | 'got' | 'fix'>;

/** A value with every problem found while making it; `value` is missing when it could not be made. */
export interface Result<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** Orders by file and position; problems without a place come first. */
export function compareRanges(a: SourceRange | undefined, b: SourceRange | undefined): number {
  return (
    compareText(a?.file ?? '', b?.file ?? '') || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
  );
}

/** Sorted by file, position and code, so that output does not depend on the order of discovery. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => compareRanges(a.range, b.range) || compareText(a.code, b.code) || compareText(a.message, b.message),
  );
}

/** A bug in edgeform: shown with a request to report it, never with the user's data. */
export class BugError extends Error {
  override readonly name = 'BugError';
}
