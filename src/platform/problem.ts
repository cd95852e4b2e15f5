// Failed file operations as problems: the text for a file that could not be read or written, and the outcome of the run.

import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { FileError, HOLDS_SECRET, UNEXPECTED_VALUE, onFileError, reasonOf } from './file-error.ts';

/** Runs the work; a file that cannot be written or read ends the run. */
export function failOnFileError<T>(work: () => T): T {
  return onFileError(work, failBecause);
}

/** The same for asynchronous work. */
export function failBecause(error: unknown): never {
  if (!(error instanceof FileError)) throw error;
  throw new Failure(error.verb === 'read' ? 'invalid' : 'output', [fileDiagnostic(error)]);
}

/** The problem for a file that could not be written or read. */
export function fileDiagnostic(error: FileError): Diagnostic {
  const message = `${JSON.stringify(error.path)} could not be ${error.verb}: ${reasonOf(error)}`;
  return { ...whyOf(error), severity: 'error', message };
}

function whyOf({ code, verb }: FileError): Pick<Diagnostic, 'code' | 'fix'> {
  if (code.startsWith(HOLDS_SECRET))
    return {
      code: 'secret-held-back',
      fix: 'please report this, unless the secret is an ordinary word: then choose another',
    };
  if (code.startsWith(UNEXPECTED_VALUE))
    return { code: 'output-failed', fix: 'please report this; what was done is in the report' };
  return verb === 'read'
    ? { code: 'file-unreadable', fix: 'name a regular file that you can read' }
    : { code: 'output-failed', fix: FULL.includes(code) ? 'free space or choose another path' : 'choose another path' };
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT'];
