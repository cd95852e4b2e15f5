// Output files that people or programs read while they grow: appended to, also through a link. Pipes and sockets are refused, so
// that nothing waits for a reader (ADR-0020).

import { closeSync, constants, fstatSync, fsyncSync, openSync, statSync, writeFileSync } from 'node:fs';
import { withFileError, codeOf, failure, FileError } from './file-error.ts';
import { OWNER_ONLY } from './write.ts';
import { throughLinks } from './paths.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK, O_NOCTTY } = constants;

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
  const target = throughLinks(path);
  const before = statSync(target, { throwIfNoEntry: false });
  if (before?.isDirectory() === true) throw failure('EISDIR');
  if (before !== undefined && !before.isFile() && !before.isCharacterDevice()) throw failure('not a regular file');
  // Without O_CREAT if it exists: with it, some systems reject files of others in shared folders.
  const create = before === undefined ? O_CREAT : 0;
  return openSync(target, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | create, OWNER_ONLY);
}
