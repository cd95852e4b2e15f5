// Output files named by the user. Regular files are replaced or appended to, pipes are written through, and so are devices
// where nothing is read back; everything else is rejected. Nothing waits forever for a reader (ADR-0020).

import { setTimeout } from 'node:timers/promises';
import { withFileError, codeOf, failure, FileError } from './file-error.ts';
import { isPipe } from './paths.ts';
import { descriptorOf } from './read.ts';
import { closeOpened, openToAppend, replaceFile, writeSome } from './write.ts';

/** How long a pipe may stall at the end before we assume that nobody reads it. */
const DRAIN_TIMEOUT_MS = 5_000;
const PAUSE_MS = 20;

/** A sink that texts are appended to. The first failure is kept, and nothing is written after it. */
export interface FileSink {
  /** Size of a regular file when it was opened; undefined for anything else. */
  readonly size: number | undefined;
  readonly write: (text: string) => void;
  /** Writes the rest, as long as somebody reads, and closes. Returns the first failure, if any. */
  readonly end: () => Promise<FileError | undefined>;
}

/** Opens a path for appending. Throws `FileError` when nothing can be written there. */
export function openSink(path: string): FileSink {
  const opened = withFileError(path, 'written', () => openToAppend(path, descriptorOf(path)));
  const state: State = { opened, waiting: Buffer.alloc(0), lost: undefined };
  const trying = (work: () => void) => {
    try {
      if (state.lost === undefined) work();
    } catch (error) {
      state.lost = new FileError(path, codeOf(error));
    }
  };
  return {
    size: opened.isRegular && opened.isOurs ? opened.size : undefined,
    write: (text) => {
      trying(() => {
        state.waiting = Buffer.concat([state.waiting, Buffer.from(text)]);
        drain(state);
      });
    },
    end: async () => {
      await finish(state, trying);
      try {
        closeOpened(opened);
      } catch (error) {
        state.lost ??= new FileError(path, codeOf(error));
      }
      return state.lost;
    },
  };
}

interface State {
  readonly opened: ReturnType<typeof openToAppend>;
  waiting: Buffer;
  lost: FileError | undefined;
}

/** Writes as much as fits; true when something was written. */
function drain(state: State): boolean {
  const before = state.waiting.length;
  for (let count = 1; count > 0 && state.waiting.length > 0; state.waiting = state.waiting.subarray(count))
    count = writeSome(state.opened, state.waiting);
  return state.waiting.length < before;
}

async function finish(state: State, trying: (work: () => void) => void): Promise<void> {
  for (let still = 0; state.lost === undefined && state.waiting.length > 0; still += PAUSE_MS) {
    await setTimeout(PAUSE_MS);
    trying(() => {
      if (drain(state)) still = 0;
      else if (still >= DRAIN_TIMEOUT_MS) throw failure('nobody reads it');
    });
  }
}

/**
 * Writes a text that will be read back: replaces a regular file atomically, writes to a pipe or an inherited descriptor, and
 * rejects everything else, links included. True when a file now holds it.
 */
export async function writeOutput(path: string, text: string): Promise<boolean> {
  const isKept = withFileError(path, 'written', () => {
    if (descriptorOf(path) !== undefined || isPipe(path)) return false;
    replaceFile(path, text);
    return true;
  });
  if (isKept) return true;
  const sink = openSink(path);
  sink.write(text);
  const lost = await sink.end();
  if (lost !== undefined) throw lost;
  return false;
}
