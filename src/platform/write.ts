// Everything that is written to the file system, as primitives: whole files that are there all at once, appended lines,
// new files, folders. What a path leads to is looked at first, and nothing here waits for a reader (ADR-0020).

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, failure } from './file-error.ts';
import { isTaken, throughLinks } from './paths.ts';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Without links, on some network and removable file systems, a new file is not there all at once. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Not every platform can flush a folder. */
const NO_FOLDER_FLUSH = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF']);

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_RDONLY } = constants;

/** In the same folder, and no longer than any name may be, however long the file's own is. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${randomBytes(12).toString('hex')}.tmp`);
}

/** Writes a new file and flushes it; one that could not be written whole is removed again. */
function flush(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    finish(descriptor, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Writes what is left to write, flushes and closes. */
function finish(descriptor: number, text: string): void {
  try {
    // Unlike one write, this goes on until all is written or the disk says why not.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names in a folder last. */
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

/** The code of what stands in the way of a file; undefined for nothing and for a regular file. */
export function whyNotReplaceable(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return undefined;
  return found.isSymbolicLink() ? 'a symbolic link' : found.isDirectory() ? 'EISDIR' : 'not a regular file';
}

/** Writes the whole file or, at a failure or crash, leaves what was there. Only a regular file is ever replaced. */
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

/** Writes a file of a name that is not taken; false when it is. Of several at once, one succeeds. */
export function createFile(path: string, text: string, mode = OWNER_ONLY): boolean {
  const temporary = temporaryName(path);
  flush(temporary, text, mode);
  try {
    if (!claim(temporary, path, { text, mode })) return false;
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(path));
  return true;
}

/** Gives the name to the finished file. A link fails when the name is taken, where a rename would replace it. */
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

/** Opens a file of our own to add to its end; no symbolic link is followed, and others lose their rights to it. */
function openOwn(path: string): number {
  const isNew = !isTaken(path);
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
  try {
    const found = fstatSync(descriptor);
    if (found.isFile() && (found.mode & OTHERS) !== 0) fchmodSync(descriptor, OWNER_ONLY);
    if (isNew) flushFolder(dirname(path));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Adds to the end of a file of our own, which is flushed. */
export function appendFlushed(path: string, text: string): void {
  finish(openOwn(path), text);
}

/** A file of our own that stays open while texts are added to it, one after the other. */
export interface Appender {
  /** Flushed when it resolves. A failure may leave a part of the text. */
  readonly append: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Opens at the first text, and again when something else has come to be at the path, as `appendFlushed` would find it. */
export function createAppender(path: string): Appender {
  let descriptor: number | undefined;
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    append: async (text) => {
      if (descriptor === undefined || !isStillAt(path, descriptor)) {
        close();
        descriptor = openOwn(path);
      }
      writeFileSync(descriptor, text);
      await flushData(descriptor);
    },
    close,
  };
}

const flushData = promisify(fdatasync);

/** True while the path leads to this very file, which is its owner's alone. */
function isStillAt(path: string, descriptor: number): boolean {
  const [there, open] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(descriptor)];
  return there?.ino === open.ino && there.dev === open.dev && (open.mode & OTHERS) === 0;
}

/** Adds to the end of a file that others may read, through symbolic links. */
export function appendWhole(path: string, text: string): void {
  finish(openSync(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY), text);
}

/** Removes a file; one that is not there is no failure. */
export function removeFile(path: string): void {
  if (!isTaken(path)) return;
  rmSync(path, { force: true });
  flushFolder(dirname(path));
}

/** Makes a folder and those above it. One step after the other: the platform's own way never ends under `/proc`. */
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

/** Makes a folder for its owner only, and tries that a file can be written there. A symbolic link is refused. */
export function prepareFolder(path: string): void {
  makeFolders(path, 0o700);
  const found = lstatSync(path);
  if (!found.isDirectory()) throw failure(found.isSymbolicLink() ? 'a symbolic link' : 'EEXIST');
  const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
  flush(probe, '', OWNER_ONLY);
  rmSync(probe);
}

/** What is open for writing: `isRegular` is a file that was opened to be added to. */
interface Opened {
  readonly descriptor: number;
  readonly isRegular: boolean;
  /** Bytes that were in it. */
  readonly size: number;
  readonly isOurs: boolean;
}

/** Opens what a path leads to, to add to it: a file, a device, or a pipe that somebody reads. Nothing is replaced. */
export function openToAppend(path: string, inherited: number | undefined): Opened {
  if (inherited !== undefined) return openInherited(path, inherited);
  const target = throughLinks(path);
  const before = statSync(target, { throwIfNoEntry: false });
  if (before?.isDirectory() === true) throw failure('EISDIR');
  if (before?.isSocket() === true || before?.isBlockDevice() === true) throw failure('not a regular file');
  // Where something is, creating is not asked for: some systems then refuse pipes and files of others in shared folders.
  const create = before === undefined ? O_CREAT : 0;
  const descriptor = openSync(target, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | create, OWNER_ONLY);
  const { size } = fstatSync(descriptor);
  return { descriptor, isRegular: fstatSync(descriptor).isFile(), size, isOurs: true };
}

/** A descriptor that the process was started with. Pipes are opened anew, so that writing to them does not wait. */
function openInherited(path: string, descriptor: number): Opened {
  const found = fstatSync(descriptor);
  if (found.isDirectory() || found.isBlockDevice() || found.isSocket()) throw failure('not a regular file');
  if (found.isFile()) return { descriptor, isRegular: true, size: 0, isOurs: false };
  const anew = openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  return { descriptor: anew, isRegular: false, size: 0, isOurs: true };
}

/** Writes as much as there is room for; 0 when there is none now. */
export function writeSome({ descriptor }: Opened, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0;
    throw error;
  }
}

/** Flushes a file, which is when some disks say that they are full, and closes it. */
export function closeOpened({ descriptor, isRegular, isOurs }: Opened): void {
  try {
    if (isRegular) fsyncSync(descriptor);
  } finally {
    if (isOurs) closeSync(descriptor);
  }
}
