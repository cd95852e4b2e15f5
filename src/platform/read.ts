// All reading from the file system: regular files up to a size, descriptors inherited from the shell, and names in folders.
// Never waits for a pipe or a device that a path refers to (ADR-0020).

import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { tryTo } from '../core/try.ts';
import { withFileError, codeOf, failure, FileError } from './file-error.ts';
import { descriptorOf } from './paths.ts';

const CHUNK = 64 * 1024;
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

export interface ReadLimit {
  readonly maxBytes: number;
}

/** The bytes of a regular file. Its reported size is not trusted: files in `/proc` report 0, and others grow. */
export function readRegularFile(path: string, limit: ReadLimit): Buffer {
  return withFileError(path, 'read', () => {
    // Checked before opening, because opening some devices has effects.
    if (!statSync(path).isFile()) throw failure('not a regular file');
    const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    try {
      if (!fstatSync(descriptor).isFile()) throw failure('not a regular file');
      return readWhole(descriptor, limit);
    } finally {
      closeSync(descriptor);
    }
  });
}

function readWhole(descriptor: number, { maxBytes }: ReadLimit): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; ;) {
    const piece = Buffer.allocUnsafe(CHUNK);
    const count = readSync(descriptor, piece, 0, CHUNK, null);
    if (count === 0) return Buffer.concat(pieces);
    size += count;
    if (size > maxBytes) throw failure('too large');
    pieces.push(piece.subarray(0, count));
  }
}

export function readText(path: string, limit: ReadLimit): string {
  return decodeText(path, readRegularFile(path, limit));
}

/** Decodes UTF-8 without a byte order mark. */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(path, 'not UTF-8', 'read');
  }
}

export interface StreamLimit extends ReadLimit {
  /** Aborted when the run ends, because a pipe may never end. */
  readonly signal: AbortSignal;
}

export async function readStream(stream: Readable, name: string, { maxBytes, signal }: StreamLimit): Promise<Buffer> {
  addAbortSignal(signal, stream);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const piece = Buffer.from(chunk as Uint8Array);
      size += piece.length;
      if (size > maxBytes) throw failure('too large');
      pieces.push(piece);
    }
  } catch (error) {
    throw new FileError(name, codeOf(error), 'read');
  }
  return Buffer.concat(pieces);
}

/** An inherited pipe, by the path of its descriptor; undefined for any other path. */
export function inheritedPipe(path: string): Readable | undefined {
  const descriptor = descriptorOf(path);
  if (descriptor === undefined) return undefined;
  return tryTo(() => {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket() ? new Socket({ fd: descriptor, writable: false }) : undefined;
  });
}

/** The first descriptor behind the three standard streams. */
const FIRST = 3;

/**
 * Calls `stop` when the pipe with this descriptor closes, as when the process that holds its other end is killed; never keeps this
 * process alive. False for a text that names no open pipe: a program in between may pass only the standard streams on.
 */
export function whenPipeCloses(descriptor: string, stop: () => void): boolean {
  const fd = /^\d{1,6}$/.test(descriptor) ? Number(descriptor) : -1;
  // It throws for a descriptor that is closed, or of a file.
  const pipe = fd < FIRST ? undefined : tryTo(() => new Socket({ fd, readable: true, writable: false }));
  // A reset says the same as an end.
  pipe?.on('error', () => undefined).once('close', stop);
  pipe?.resume().unref();
  return pipe !== undefined;
}

export function namesIn(folder: string): string[] {
  return withFileError(folder, 'read', () => readdirSync(folder));
}

/** What a search below a folder visits and returns. */
export interface Search {
  /** How many levels are visited. */
  readonly depth?: number;
  readonly withFolders?: boolean;
}

/**
 * All paths below a folder that are not folders, including links and pipes, because nothing that a pattern matches may be
 * skipped silently. Links to folders are not followed. Fails for more than `most` entries.
 */
export function filesBelow(
  folder: string,
  most: number,
  { depth = Infinity, withFolders = false }: Search = {},
): string[] {
  const found: string[] = [];
  const folders = [{ path: folder, level: 1 }];
  let count = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const { path: here, level } = at;
    for (const entry of withFileError(here, 'read', () => readdirSync(here, { withFileTypes: true }))) {
      count += 1;
      if (count > most) throw new FileError(folder, 'too many files', 'read');
      const path = join(here, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder || withFolders) found.push(path);
      if (isFolder && level < depth) folders.push({ path, level: level + 1 });
    }
  }
  return found;
}
