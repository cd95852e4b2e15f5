// Primitives for writing to the file system: atomic whole files, appended lines, new files, folders. Checks first what a path
// refers to, and never waits for a reader (ADR-0020).

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, failure, FileError, withFileError } from './file-error.ts';
import { isTaken, refuseStream, throughLinks } from './paths.ts';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Some network and removable file systems have no hard links, so that a new file cannot appear atomically. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Some platforms cannot flush a folder. */
const NO_FOLDER_FLUSH = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']);

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_RDONLY } = constants;

/** A name in the same folder, short enough for any file system. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${randomBytes(12).toString('hex')}.tmp`);
}

/** Writes a new file and flushes it; removes it again if it could not be written completely. */
function flush(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    finish(descriptor, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Writes the rest, flushes and closes. */
function finish(descriptor: number, text: string): void {
  try {
    // Unlike a single write, continues until everything is written or the disk reports an error.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes a folder, so that the names in it are durable. */
function flushFolder(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY);
    fsyncSync(descriptor);
  } catch (error) {
    if (!NO_FOLDER_FLUSH.has(codeOf(error))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The code of what prevents replacing a file; undefined for nothing and for a regular file. */
export function whyNotReplaceable(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return undefined;
  return found.isSymbolicLink() ? 'a symbolic link' : found.isDirectory() ? 'EISDIR' : 'not a regular file';
}

/** Writes the whole file, or keeps the old one after a failure or crash. Replaces only regular files. */
export function replaceFile(path: string, text: string, mode = OWNER_ONLY): void {
  const why = whyNotReplaceable(path);
  if (why !== undefined) throw failure(why);
  const temporary = temporaryName(path);
  flush(temporary, text, OWNER_ONLY);
  try {
    if (mode !== OWNER_ONLY) chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(path));
}

export interface Lasting {
  /** False for a lock: when the machine loses its power, nobody holds it, whether it is still there or not. */
  readonly isLasting?: boolean;
}

interface Creation extends Lasting {
  readonly mode?: number;
}

/** Writes a new file; false if the name is taken. Of several concurrent calls, one succeeds. */
export function createFile(
  path: string,
  text: string,
  { mode = OWNER_ONLY, isLasting = true }: Creation = {},
): boolean {
  const temporary = temporaryName(path);
  flush(temporary, text, mode);
  try {
    if (!claim(temporary, path, { text, mode })) return false;
  } finally {
    rmSync(temporary, { force: true });
  }
  if (isLasting) flushFolder(dirname(path));
  return true;
}

/** Gives the finished file its name. Uses a link because it fails when the name is taken; a rename would replace the file. */
function claim(temporary: string, path: string, { text, mode }: { text: string; mode: number }): boolean {
  try {
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (!NO_LINKS.has(codeOf(error))) throw error;
      flush(path, text, mode);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Opens our own file for appending; follows no symbolic link, and removes the permissions of others. */
function openOwn(path: string): number {
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
  try {
    const found = fstatSync(descriptor);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(descriptor, OWNER_ONLY);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A file of our own that stays open for several appends. */
export interface Appender {
  /** Resolves when flushed. A failure may leave a part of the text. */
  readonly append: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Opens on the first append, and again when the file at the path was replaced. */
export function createAppender(path: string): Appender {
  let descriptor: number | undefined;
  /** True until the name of a new file is durable, too. */
  let isNew = false;
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    append: async (text) => {
      if (descriptor === undefined || !isStillAt(path, descriptor)) {
        close();
        isNew ||= !isTaken(path);
        descriptor = openOwn(path);
      }
      writeFileSync(descriptor, text);
      await flushData(descriptor);
      if (!isNew) return;
      await flushNames(dirname(path));
      isNew = false;
    },
    close,
  };
}

const flushData = promisify(fdatasync);
const flushAll = promisify(fsync);

/** Flushes a folder while other work goes on. */
async function flushNames(folder: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, O_RDONLY);
    await flushAll(descriptor);
  } catch (error) {
    if (!NO_FOLDER_FLUSH.has(codeOf(error))) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** True while the path refers to this same file and only its owner has access. */
function isStillAt(path: string, descriptor: number): boolean {
  const [there, open] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(descriptor)];
  return there?.ino === open.ino && there.dev === open.dev && (open.mode & OTHERS) === 0;
}

export function removeFile(path: string, { isLasting = true }: Lasting = {}): void {
  if (!isTaken(path)) return;
  rmSync(path, { force: true });
  if (isLasting) flushFolder(dirname(path));
}

/** Creates a folder and its parents, one by one: Node's recursive option never returns under `/proc`. */
export function makeFolders(path: string, mode: number): void {
  const missing: string[] = [];
  let at = resolve(path);
  for (; !isTaken(at); at = dirname(at)) missing.push(at);
  if (missing.length === 0) return;
  if (!statSync(at).isDirectory()) throw failure('ENOTDIR');
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    flushFolder(dirname(folder));
  }
}

/** Creates a folder for its owner only, and tests that files can be written there. Rejects a symbolic link. */
export function prepareFolder(path: string): void {
  makeFolders(path, 0o700);
  const found = lstatSync(path);
  if (!found.isDirectory()) throw failure(found.isSymbolicLink() ? 'a symbolic link' : 'EEXIST');
  const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
  flush(probe, '', OWNER_ONLY);
  rmSync(probe);
}

/** A file that texts are appended to. The first failure is kept, and nothing is written after it. */
export interface FileSink {
  /** Its size when it was opened. */
  readonly size: number;
  readonly write: (text: string) => void;
  /** Flushes and closes it. Returns the first failure, if any. */
  readonly end: () => FileError | undefined;
}

/** Opens a file or a device for appending. Throws `FileError` when nothing can be written there. */
export function openSink(path: string): FileSink {
  const descriptor = withFileError(path, 'written', () => openToAppend(path));
  const found = fstatSync(descriptor);
  let lost: FileError | undefined;
  const trying = (work: () => void) => {
    try {
      work();
    } catch (error) {
      lost ??= new FileError(path, codeOf(error));
    }
  };
  return {
    size: found.size,
    write: (text) => {
      if (lost === undefined) trying(() => writeFileSync(descriptor, text));
    },
    end: () => {
      // Some disks report only when they are flushed that they are full.
      if (found.isFile()) trying(() => fsyncSync(descriptor));
      trying(() => closeSync(descriptor));
      return lost;
    },
  };
}

function openToAppend(path: string): number {
  refuseStream(path);
  const before = statSync(path, { throwIfNoEntry: false });
  if (before?.isDirectory() === true) throw failure('EISDIR');
  if (before !== undefined && !before.isFile() && !before.isCharacterDevice()) throw failure('not a regular file');
  const target = throughLinks(path);
  // Without O_CREAT if it exists: with it, some systems reject files of others in shared folders.
  const create = before === undefined ? O_CREAT : 0;
  // A device is waited for.
  const isDevice = before?.isCharacterDevice() === true;
  return openSync(target, O_WRONLY | O_APPEND | (isDevice ? 0 : O_NONBLOCK) | O_NOCTTY | create, OWNER_ONLY);
}
