// Reads one text file of a manifest from the disk or a revision, with what is wrong with it in words.

import type { Code } from '../core/codes.ts';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { FileError, reasonOf } from '../platform/file-error.ts';
import { decodeText } from '../platform/read.ts';
import type { SourceFiles } from '../platform/source-files.ts';
import { isBelow } from './manifest-paths.ts';

export function problem(code: Code, message: string, fix: string): Diagnostic {
  return { code, severity: 'error', message, fix };
}

interface Reading {
  /** The problem to report for a file outside the root. */
  readonly refused: Diagnostic;
  readonly shown: string;
  readonly maxBytes: number;
  readonly files: SourceFiles;
}

/** A file, and the folder that it must be in. */
export interface Below {
  readonly root: string;
  readonly full: string;
}

/** Reads a file whose real path is below the root, symbolic links resolved. */
export function readBelow({ root, full }: Below, reading: Reading): Result<string> {
  const { refused, shown, maxBytes, files } = reading;
  try {
    if (!isBelow(files.realPath(root), files.realPath(full))) return { diagnostics: [refused] };
  } catch (error) {
    return { diagnostics: [unreadable(error, shown, maxBytes)] };
  }
  return readFile(full, reading);
}

type FileReading = Pick<Reading, 'shown' | 'maxBytes' | 'files'>;

/** A regular file as UTF-8 text. */
export function readFile(path: string, { shown, maxBytes, files }: FileReading): Result<string> {
  try {
    return { value: decodeText(path, files.read(path, { maxBytes })), diagnostics: [] };
  } catch (error) {
    return { diagnostics: [unreadable(error, shown, maxBytes)] };
  }
}

const REASONS: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  ENOENT: ['does not exist', 'check the path'],
  'not a regular file': ['is not a regular file', 'name a regular file'],
  'not UTF-8': ['is not UTF-8 text', 'save it as UTF-8'],
  'in Git LFS': ['is kept in Git LFS there', 'keep the files of a manifest in git itself'],
  'in a submodule': ['is in a submodule there', 'keep the files of a manifest in the repository itself'],
  'not in this checkout': ['is not in this checkout of git', 'clone it without `--filter`, or fetch the commit whole'],
};

export function unreadable(error: unknown, shown: string, maxBytes: number): Diagnostic {
  if (!(error instanceof FileError)) throw error;
  if (error.code === 'too large')
    return problem('file-too-large', `${shown} is larger than ${maxBytes / 1024 / 1024} MiB`, 'shorten or split it');
  const other = [`cannot be read: ${reasonOf(error)}`, 'check the path and its permissions'] as const;
  const [what, fix] = REASONS[error.code] ?? other;
  return problem('file-unreadable', `${shown} ${what}`, fix);
}
