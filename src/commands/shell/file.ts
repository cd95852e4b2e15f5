// Files that a command writes: a failure ends the command, with the exit code for output that could not be written.

import { FileError, HOLDS_SECRET, ODD_VALUE, reasonOf } from '../../platform/error.ts';
import type { Files } from '../../platform/files.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import * as shared from '../../platform/shared.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';

/** Does the work; a file that could not be written, or not be read, ends the command. */
export function orFail<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new CommandFailure(error.verb === 'read' ? EXIT.invalid : EXIT.output, [problemOf(error)]);
  }
}

/** What is said of a file that could not be written, or read. */
export function problemOf(error: FileError): Diagnostic {
  const message = `${JSON.stringify(error.path)} could not be ${error.verb}: ${reasonOf(error)}`;
  return { ...whyOf(error), severity: 'error', message };
}

function whyOf({ code, verb }: FileError): Pick<Diagnostic, 'code' | 'fix'> {
  if (code.startsWith(HOLDS_SECRET))
    return {
      code: 'secret-held-back',
      fix: 'please report this, unless the secret is an ordinary word: then choose another',
    };
  if (code.startsWith(ODD_VALUE))
    return { code: 'output-failed', fix: 'please report this; what was done is in the report' };
  return verb === 'read'
    ? { code: 'file-unreadable', fix: 'name a regular file that you may read' }
    : { code: 'output-failed', fix: 'free space or choose another path' };
}

/** Writes through a new file of mode 0600 that is flushed before it takes the name. */
export function writeAtomic(path: string, text: string, files: Files): void {
  orFail(() => {
    files.writeAtomic(path, text);
  });
}

/** Writes a file that must not be there yet. */
export function writeOnce(path: string, text: string, files: Pick<Files, 'writeOnce'>): void {
  orFail(() => {
    files.writeOnce(path, text);
  });
}

/** Makes the directory for its owner only, and tries that a file can be written there. A symbolic link is refused. */
export function prepareDirectory(path: string, files: Pick<Files, 'prepareDirectory'>): void {
  orFail(() => {
    files.prepareDirectory(path);
  });
}

/** Writes a file that everybody may read and that must not be there yet; makes the folders on the way. */
export function writeNew(path: string, text: string): void {
  orFail(() => {
    shared.writeNew(path, text);
  });
}

/** Adds to the end of a file; what is in it stays. */
export function addTo(path: string, text: string): void {
  orFail(() => {
    shared.addTo(path, text);
  });
}
