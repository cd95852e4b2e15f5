// Everything that is read from the file system: regular files within a size, what the shell hands over as a descriptor,
// and names in folders. Nothing here waits for a pipe or a device that a path leads to (ADR-0020).

import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { tryTo } from '../core/try.ts';
import { withFileError, codeOf, failure, FileError } from './file-error.ts';

const CHUNK = 64 * 1024;
const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

interface ReadLimit {
  readonly maxBytes: number;
}

/** The bytes of a regular file. It is never believed to have a size: files of `/proc` say 0, and others grow. */
export function readRegularFile(path: string, limit: ReadLimit): Buffer {
  return withFileError(path, 'read', () => {
    // Asked before it is opened, because opening some devices does something.
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

/** The text of a regular file. */
export function readText(path: string, limit: ReadLimit): string {
  return decodeText(path, readRegularFile(path, limit));
}

/** Bytes as UTF-8 text without a byte order mark. */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileError(path, 'not UTF-8', 'read');
  }
}

export interface StreamLimit extends ReadLimit {
  /** Aborted: nobody waits any more, for nobody knows when a pipe ends. */
  readonly signal: AbortSignal;
}

/** All of a stream. */
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

/** The number of the descriptor that a path names, which is how shells hand over `<(…)`. */
export function descriptorOf(path: string): number | undefined {
  const name = { '/dev/stdin': '0', '/dev/stdout': '1', '/dev/stderr': '2' }[path];
  const found = name ?? /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/.exec(path)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A pipe that the process was started with, by the path of its descriptor; undefined for every other path. */
export function inheritedPipe(path: string): Readable | undefined {
  const descriptor = descriptorOf(path);
  if (descriptor === undefined) return undefined;
  return tryTo(() => {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket() ? new Socket({ fd: descriptor, writable: false }) : undefined;
  });
}

/** The names in a folder. */
export function namesIn(folder: string): string[] {
  return withFileError(folder, 'read', () => readdirSync(folder));
}

/**
 * The paths of all below a folder that is no folder, links and pipes as well: what a pattern matches is never left out in
 * silence. Links to folders are not followed. More than `most` entries are too many.
 */
export function filesBelow(folder: string, most: number): string[] {
  const found: string[] = [];
  const folders = [folder];
  let count = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const here = at;
    for (const entry of withFileError(here, 'read', () => readdirSync(here, { withFileTypes: true }))) {
      count += 1;
      if (count > most) throw new FileError(folder, 'too many files', 'read');
      (entry.isDirectory() ? folders : found).push(join(here, entry.name));
    }
  }
  return found;
}
