// Files that a command writes: whole or not at all; for their owner only, but for those that belong into a repository.

import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
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
import { dirname, join } from 'node:path';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';

function failed(path: string, error: unknown): CommandFailure {
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const message = `${JSON.stringify(path)} could not be written (${why})`;
  return new CommandFailure(EXIT.output, [
    { code: 'output-failed', severity: 'error', message, fix: 'free space or choose another path' },
  ]);
}

/** Writes through a new file of mode 0600 that is flushed before it takes the name. */
export function writeAtomic(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    flush(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw failed(path, error);
  }
}

/** Most bytes of UTF-8 for one unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/** Appends a text that keeps the file within a size; the text is told how many characters it may have. */
export function appendBounded(path: string, render: (limit: number) => string, maxBytes: number): void {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const gap = size > 0 ? '\n\n' : '';
    const text = `${gap}${render(Math.floor((maxBytes - size) / BYTES_PER_UNIT) - 3)}\n`;
    if (size + Buffer.byteLength(text) > maxBytes) throw Object.assign(new Error('full'), { code: 'EFBIG' });
    appendFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw failed(path, error);
  }
}

/** Writes a file that must not be there yet. */
export function writeOnce(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    flush(temporary, text);
    // A link fails when the name is taken, where a rename would replace it.
    linkSync(temporary, path);
  } catch (error) {
    throw failed(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function flush(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    // Unlike one write, this goes on until all is written or the disk says why not.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file that everybody may read and that must not be there yet; makes the folders on the way. */
export function writeNew(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw failed(path, error);
  }
}

/** Adds to the end of a file; what is in it stays. */
export function addTo(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw failed(path, error);
  }
}

/** Makes the directory for its owner only, and tries that a file can be written there. A symbolic link is refused. */
export function prepareDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    const probe = join(path, `.probe-${randomBytes(6).toString('hex')}`);
    flush(probe, '');
    rmSync(probe);
  } catch (error) {
    throw failed(path, error);
  }
}
