// The file of a journal during one run. Entries that arrive during a flush are written together, with one write and one flush,
// and each caller waits for the flush that covers its entry (ADR-0015).

import { FileError, UNEXPECTED_VALUE } from '../platform/file-error.ts';
import type { Files } from '../platform/files.ts';
import { findInvalidValue } from './check-values.ts';
import { encodeJournal, type JournalEntry, type JournalLines } from './entry.ts';

interface Place {
  readonly path: string;
  readonly files: Files;
}

interface Beginning {
  readonly kept: readonly JournalEntry[];
  /** Written before the function returns. */
  readonly first: JournalEntry;
}

/** An entry to write; a fact is kept even if it could not be written. */
interface Line {
  readonly entry: JournalEntry;
  readonly isTrue: boolean;
}

/** A line that is not on disk yet, and the caller that waits for it. */
interface Waiting extends Line {
  readonly settle: (error?: Error) => void;
}

/** The entries of a run on their way to the disk. */
export interface Log {
  /** Entries that are true and not on disk. */
  readonly unsaved: () => readonly JournalEntry[];
  /** Accepts nothing more, and waits for pending writes. */
  readonly close: () => Promise<void>;
  /** Resolves when the entry is on disk; rejects entries after the end of the run. With `isTrue`, it is kept even if it could not be written. */
  readonly add: (entry: JournalEntry, isTrue?: boolean) => Promise<void>;
}

export function createLog(place: Place, beginning: Beginning): Log {
  let isClosed = false;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  const refused: JournalEntry[] = [];
  const { write, unsaved, close } = createLogFile(place, beginning);
  const flush = async (): Promise<void> => {
    // Entries added at the same moment are written together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const error = await write(group);
      for (const { isTrue, settle } of group) settle(error ?? (isClosed && !isTrue ? closed() : undefined));
    }
    flushing = undefined;
  };
  return {
    unsaved: () => [...refused, ...unsaved()],
    close: async () => {
      isClosed = true;
      if (flushing !== undefined) await flushing;
      close();
    },
    add: (entry, isTrue = false) => {
      if (isClosed) return Promise.reject(closed());
      const invalid = findInvalidValue(entry);
      if (invalid !== undefined) {
        // It will never be written, and later lines follow without it.
        if (isTrue) refused.push(entry);
        return Promise.reject(unexpected(place, invalid));
      }
      // The end closes a run: a later answer belongs to no run, and the next run reads live state itself.
      if (entry.type === 'end') isClosed = true;
      return new Promise((resolve, reject) => {
        const settle = (error?: Error) => {
          if (error === undefined) resolve();
          else reject(error);
        };
        waiting.push({ entry, isTrue, settle });
        flushing ??= flush();
      });
    },
  };
}

/** The file and its whole text, to rewrite it after an append left it in an unknown state. */
function createLogFile({ path, files }: Place, { kept, first }: Beginning) {
  const invalid = findInvalidValue(first);
  if (invalid !== undefined) throw unexpected({ path }, invalid);
  let { text, checksum } = encodeJournal(kept);
  let isAnew = false;
  let unsaved: readonly JournalEntry[] = [];
  const follow = (lines: JournalLines) => {
    text += lines.text;
    checksum = lines.checksum;
  };
  const begin = encodeJournal([first], checksum);
  // A new file appears together with its first line, and a torn end goes.
  files.writeAtomic(path, text + begin.text);
  follow(begin);
  const { append, close } = files.openAppender(path);
  return {
    unsaved: () => unsaved,
    close,
    /** Returns the error, if any. */
    write: async (lines: readonly Line[]): Promise<Error | undefined> => {
      const all = encodeJournal(entriesOf(lines), checksum);
      try {
        if (isAnew) files.writeAtomic(path, text + all.text);
        else await append(all.text);
        isAnew = false;
        unsaved = [];
        follow(all);
        return undefined;
      } catch (error) {
        isAnew = true;
        const lost = entriesOf(lines.filter(({ isTrue }) => isTrue));
        unsaved = [...unsaved, ...lost];
        follow(encodeJournal(lost, checksum));
        return error as Error;
      }
    },
  };
}

const entriesOf = (lines: readonly Line[]) => lines.map(({ entry }) => entry);

function closed(): Error {
  return new Error('the journal of this run is closed');
}

function unexpected({ path }: Pick<Place, 'path'>, at: string): FileError {
  return new FileError(path, `${UNEXPECTED_VALUE} at ${at}`);
}
