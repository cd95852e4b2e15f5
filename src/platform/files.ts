// Every effect on a file that has to last, behind one interface: for their owner only, and flushed before it returns.

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
  type Appender,
} from './write.ts';

/** All functions throw `FileError`. New files have mode 0600 unless another is given, new folders 0700; no symbolic link is followed to a new file. */
export interface Files {
  /** The text of a regular file, or undefined when nothing is there. Bytes that are no UTF-8 become U+FFFD. */
  readonly read: (path: string) => string | undefined;
  /** True when the name is taken, by whatever it may be. */
  readonly exists: (path: string) => boolean;
  /** True when `writeAtomic` would find nothing there, or a regular file of that very name. */
  readonly isReplaceable: (path: string) => boolean;
  /** Writes the whole file or, at a failure or crash, leaves what was there; only a regular file is replaced. */
  readonly writeAtomic: (path: string, text: string, mode?: number) => void;
  /** Writes a file whose name must not be taken: `EEXIST`. */
  readonly createPrivate: (path: string, text: string) => void;
  /** Adds to the end of a file, which is made when it is not there. A failure may leave a part of the text. */
  readonly appendDurable: (path: string, text: string) => void;
  /** Opens a file for many texts, each of which is waited for until it is flushed. */
  readonly openAppender: (path: string) => Appender;
  /** Writes a file of a name that is not taken; false when it is. Of several at once, one succeeds. */
  readonly createExclusive: (path: string, text: string) => boolean;
  /** Removes a file; one that is not there is no failure. */
  readonly remove: (path: string) => void;
  /** Makes a folder, and tries that a file can be written there. A symbolic link is refused. */
  readonly prepareDirectory: (path: string) => void;
  /** Writes a whole text to a user's path, if it is a place for what is read back; true when a file holds it: see `output.ts`. */
  readonly writeOutput: (path: string, text: string) => Promise<boolean>;
  /** Opens a place to add to, wherever a user's path leads. */
  readonly openSink: (path: string) => FileSink;
}

/** Far above any journal: what is larger is not one. */
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
