// Every durable file operation, behind one interface: files are private to their owner and flushed before a call returns.

import { asFileError, withFileError, codeOf, failure } from './file-error.ts';
import { isTaken } from './paths.ts';
import { namesIn, readRegularFile } from './read.ts';
import {
  createAppender,
  createFile,
  openSink,
  prepareFolder,
  removeFile,
  replaceFile,
  whyNotReplaceable,
  type Appender,
  type FileSink,
  type Lasting,
} from './write.ts';

/** All functions throw `FileError`. Default modes: files 0600, folders 0700. No file is created through a symbolic link. */
export interface Files {
  /** The text of a regular file, or undefined when nothing is there. Invalid UTF-8 becomes U+FFFD. */
  readonly read: (path: string) => string | undefined;
  readonly exists: (path: string) => boolean;
  /** Names in a folder; none when nothing is there. */
  readonly namesIn: (folder: string) => readonly string[];
  /** True when `writeAtomic` would find nothing there, or a regular file with exactly this name. */
  readonly isReplaceable: (path: string) => boolean;
  /** Writes the whole file, or keeps the old one after a failure or crash; replaces only regular files. */
  readonly writeAtomic: (path: string, text: string, mode?: number) => void;
  /** Writes a new file; fails with `EEXIST` if the name is taken. */
  readonly createPrivate: (path: string, text: string) => void;
  /** Opens a file, which is created if missing, for many appends; each resolves when it is flushed. A failure may leave a part of it. */
  readonly openAppender: (path: string) => Appender;
  /** Writes a new file; false if the name is taken. Of several concurrent calls, one succeeds. A lock: it need not outlast the machine's power. */
  readonly createExclusive: (path: string, text: string) => boolean;
  readonly remove: (path: string, how?: Lasting) => void;
  /** Creates a folder and tests that files can be written there. Rejects a symbolic link. */
  readonly prepareDirectory: (path: string) => void;
  /** Opens a user's file for appending. */
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
  namesIn: (folder) => withFileError(folder, 'read', () => (isTaken(folder) ? namesIn(folder) : [])),
  isReplaceable: (path) => withFileError(path, 'read', () => whyNotReplaceable(path) === undefined),
  writeAtomic: (path, text, mode) => withFileError(path, 'written', () => replaceFile(path, text, mode)),
  createPrivate: (path, text) =>
    withFileError(path, 'written', () => {
      if (!createFile(path, text)) throw failure('EEXIST');
    }),
  openAppender: (path) => {
    const { append, close } = createAppender(path);
    return {
      append: (text) => append(text).catch((error: unknown) => Promise.reject(asFileError(error, path, 'written'))),
      close,
    };
  },
  createExclusive: (path, text) => withFileError(path, 'written', () => createFile(path, text, { isLasting: false })),
  remove: (path, how) => withFileError(path, 'removed', () => removeFile(path, how)),
  prepareDirectory: (path) => withFileError(path, 'written', () => prepareFolder(path)),
  openSink,
};
