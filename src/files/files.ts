// Every effect on a file that has to last, behind one interface: for their owner only, and flushed before it returns.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt, codeOf } from './error.ts';

/** All functions throw `FileError`. New files have mode 0600, new folders 0700; no symbolic link is followed to a new file. */
export interface Files {
  /** The text of a regular file, or undefined when nothing is there. Bytes that are no UTF-8 become U+FFFD. */
  readonly read: (path: string) => string | undefined;
  /** True when the name is taken, by whatever it may be. */
  readonly exists: (path: string) => boolean;
  /** Writes the whole file or, at a failure or crash, leaves what was there. */
  readonly writeAtomic: (path: string, text: string) => void;
  /** Writes a file whose name must not be taken: `EEXIST`. */
  readonly writeOnce: (path: string, text: string) => void;
  /** Adds to the end of a file, which is made when it is not there. A failure may leave a part of the text. */
  readonly appendDurable: (path: string, text: string) => void;
  /** Writes a file of a name that is not taken; false when it is. Of several at once, one succeeds. */
  readonly createExclusive: (path: string, text: string) => boolean;
  /** Removes a file; one that is not there is no failure. */
  readonly remove: (path: string) => void;
  /** Makes a folder, and tries that a file can be written there. A symbolic link is refused. */
  readonly prepareDirectory: (path: string) => void;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Without links, on some network and removable file systems, a new file is not there all at once. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Not every platform can flush a folder. */
const NO_FOLDER_FLUSH = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']);

export const nodeFiles: Files = {
  read: (path) => attempt(path, 'read', () => read(path)),
  exists: (path) => attempt(path, 'read', () => isTaken(path)),
  writeAtomic: (path, text) =>
    attempt(path, 'written', () => {
      const temporary = temporaryName(path);
      flush(temporary, text);
      try {
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
      flushFolder(dirname(path));
    }),
  writeOnce: (path, text) =>
    attempt(path, 'written', () => {
      if (!create(path, text)) throw failure('EEXIST');
    }),
  appendDurable: (path, text) =>
    attempt(path, 'written', () => {
      append(path, text);
    }),
  createExclusive: (path, text) => attempt(path, 'written', () => create(path, text)),
  remove: (path) =>
    attempt(path, 'removed', () => {
      if (!isTaken(path)) return;
      rmSync(path, { force: true });
      flushFolder(dirname(path));
    }),
  prepareDirectory: (path) =>
    attempt(path, 'written', () => {
      prepareDirectory(path);
    }),
};

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function read(path: string): string | undefined {
  let descriptor: number;
  try {
    // Not blocking: opening a pipe would wait for somebody to write into it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if (!fstatSync(descriptor).isFile()) throw failure('not a regular file');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a new file and flushes it; one that could not be written whole is removed again. */
function flush(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', OWNER_ONLY);
  try {
    // Unlike one write, this goes on until all is written or the disk says why not.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names in a folder last. */
function flushFolder(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
    fsyncSync(descriptor);
  } catch (error) {
    if (!NO_FOLDER_FLUSH.has(codeOf(error))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** True when the file was made, false when the name was taken. */
function create(path: string, text: string): boolean {
  const temporary = temporaryName(path);
  flush(temporary, text);
  try {
    if (!claim(temporary, path, text)) return false;
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(path));
  return true;
}

/** Gives the name to the finished file. A link fails when the name is taken, where a rename would replace it. */
function claim(temporary: string, path: string, text: string): boolean {
  try {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!NO_LINKS.has(codeOf(error))) throw error;
      flush(path, text);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function append(path: string, text: string): void {
  const isNew = !isTaken(path);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
  try {
    const found = fstatSync(descriptor);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(descriptor, OWNER_ONLY);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (isNew) flushFolder(dirname(path));
}

function prepareDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!lstatSync(path).isDirectory()) throw failure('ENOTDIR');
  if (first !== undefined) {
    for (let at = resolve(path); at.length >= resolve(first).length; at = dirname(at)) flushFolder(dirname(at));
  }
  const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
  flush(probe, '');
  rmSync(probe);
}
