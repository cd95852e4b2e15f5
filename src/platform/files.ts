// Every durable file operation, behind one interface: files are private to their owner and flushed before a call returns.

import { asFileError, withFileError, codeOf, failure } from './file-error.ts';
import { openSink, writeOutput, type FileSink } from './output.ts';
import { isTaken } from './paths.ts';
import { readRegularFile } from './read.ts';
import {
  appendFlushed,
  createAppender,
  createFile,
  prepareFolder,
  removeFile,
  replaceFile,
  whyNotReplaceable,
} from './write.ts';

/** All functions throw `FileError`. Default modes: files 0600, folders 0700. No file is created through a symbolic link. */
export interface Files {
  /** The text of a regular file, or undefined when nothing is there. Invalid UTF-8 becomes U+FFFD. */
  readonly read: (path: string) => string | undefined;
  readonly exists: (path: string) => boolean;
  /** True when `writeAtomic` would find nothing there, or a regular file with exactly this name. */
  readonly isReplaceable: (path: string) => boolean;
  /** Writes the whole file, or keeps the old one after a failure or crash; replaces only regular files. */
  readonly writeAtomic: (path: string, text: string, mode?: number) => void;
  /** Writes a new file; fails with `EEXIST` if the name is taken. */
  readonly createPrivate: (path: string, text: string) => void;
  /** Appends to a file, which is created if missing. A failure may leave a part of the text. */
  readonly appendDurable: (path: string, text: string) => void;
  /** Opens a file for many appends; each resolves when it is flushed. */
  readonly openAppender: (path: string) => ReturnType<typeof createAppender>;
  /** Writes a new file; false if the name is taken. Of several concurrent calls, one succeeds. */
  readonly createExclusive: (path: string, text: string) => boolean;
  readonly remove: (path: string) => void;
  /** Creates a folder and tests that files can be written there. Rejects a symbolic link. */
  readonly prepareDirectory: (path: string) => void;
  /** Writes a text that will be read back to a user's path, if it is suitable; true when a file holds it: see `output.ts`. */
  readonly writeOutput: (path: string, text: string) => Promise<boolean>;
  /** Opens a user's path for appending, whatever it leads to. */
  readonly openSink: (path: string) => FileSink;
}

/** Far above the size of any journal: a larger file is not one. */
const MAX_BYTES = 256 * 1024 * 1024;

export const nodeFiles: Files = {
  read: (path) => {
    try {
      return readRegularFile(path, { maxBytes: MAX_BYTES }).toString('utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  exists: (path) => withFileError(path, 'read', () => isTaken(path)),
  isReplaceable: (path) => withFileError(path, 'read', () => whyNotReplaceable(path) === undefined),
  writeAtomic: (path, text, mode) => withFileError(path, 'written', () => replaceFile(path, text, mode)),
  createPrivate: (path, text) =>
    withFileError(path, 'written', () => {
      if (!createFile(path, text)) throw failure('EEXIST');
    }),
  appendDurable: (path, text) => withFileError(path, 'written', () => appendFlushed(path, text)),
  openAppender: (path) => {
    const { append, close } = createAppender(path);
    return {
      append: (text) => append(text).catch((error: unknown) => Promise.reject(asFileError(error, path, 'written'))),
      close,
    };
  },
  createExclusive: (path, text) => withFileError(path, 'written', () => createFile(path, text)),
  remove: (path) => withFileError(path, 'removed', () => removeFile(path)),
  prepareDirectory: (path) => withFileError(path, 'written', () => prepareFolder(path)),
  writeOutput,
  openSink,
};
