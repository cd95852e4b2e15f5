// Shared text files: starter files that belong in a repository. Each passes the output filter.

import { dirname } from 'node:path';
import { filtered } from './filter.ts';
import { withFileError, failure } from './file-error.ts';
import { createFile, makeFolders } from './write.ts';

/** Writes a new file that everybody may read, and creates missing folders. */
export function writeNew(path: string, text: string): void {
  withFileError(path, 'written', () => {
    makeFolders(dirname(path), 0o777);
    if (!createFile(path, filtered(text), { mode: 0o666 })) throw failure('EEXIST');
  });
}
