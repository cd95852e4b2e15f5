// Reads files named by the user: regular files up to a size, standard input, and `<(…)` from a shell. Stops waiting for a pipe
// when the run is to end; rejects everything else.

import { resolve } from 'node:path';
import { FileError, reasonOf } from '../../platform/file-error.ts';
import { decodeText, inheritedPipe, readRegularFile, readStream } from '../../platform/read.ts';
import { descriptorOf } from '../../platform/paths.ts';
import { Failure, usageError } from '../../core/failure.ts';
import { unlessStopped } from '../../reconcile/stop.ts';
import type { Host } from '../shell/host.ts';

interface InputSource {
  /** The user's name for it: `--var-file`, or what it is. */
  readonly option: string;
  readonly path: string;
  readonly maxBytes: number;
}

/** The text, or a failure with exit code 4 that names option and path. */
export async function readInput({ option, path, maxBytes }: InputSource, host: Host): Promise<string> {
  const full = path === '-' ? path : resolve(host.cwd, path);
  try {
    return decodeText(full, (await readPipeInput(full, maxBytes, host)) ?? readRegularFile(full, { maxBytes }));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const size = error.code === 'too large' ? ` (${maxBytes} bytes)` : '';
    const message = `${option} ${JSON.stringify(path)} cannot be read: ${reasonOf(error)}${size}`;
    throw Failure.of('invalid', 'file-unreadable', message, 'name a regular file that you can read');
  }
}

/** Standard inputs already read, which are empty now. */
const emptied = new WeakSet<Host['readStdin']>();

/** True when standard input was read, so that a prompt is impossible. */
export function isStdinRead({ readStdin }: Pick<Host, 'readStdin'>): boolean {
  return emptied.has(readStdin);
}

/** Reads all of standard input or a pipe from the shell; undefined for any other path. */
export function readPipeInput(full: string, maxBytes: number, host: Host): Promise<Uint8Array> | undefined {
  const limit = { maxBytes, signal: host.signal };
  if (full === '-' || descriptorOf(full) === 0) {
    if (emptied.has(host.readStdin))
      throw usageError('two inputs read standard input, which can be read once', 'name a file for one of them');
    emptied.add(host.readStdin);
    return unlessStopped(host.readStdin(limit), host);
  }
  const pipe = inheritedPipe(full);
  return pipe === undefined ? undefined : unlessStopped(readStream(pipe, full, limit), host);
}
