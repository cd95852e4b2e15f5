// The file of a journal during one run. Entries that come while others are being flushed go to the disk together, with one
// write and one flush, and each caller waits for the flush that covers its entry (ADR-0015).

import { FileError, UNEXPECTED_VALUE } from '../platform/file-error.ts';
import type { Files } from '../platform/files.ts';
import { findInvalidValue } from './check-values.ts';
import { encodeJournal, type JournalEntry } from './entry.ts';

interface Place {
  readonly path: string;
  readonly files: Files;
}

interface Beginning {
  readonly kept: readonly JournalEntry[];
  /** The text of the file; undefined when there is none. */
  readonly found: string | undefined;
  /** Written before the function returns. */
  readonly first: JournalEntry;
}

/** An entry that is to be written; one that is true is kept although it could not be. */
interface Line {
  readonly entry: JournalEntry;
  readonly isTrue: boolean;
}

/** A line that is not on the disk yet, and who waits for it. */
interface Waiting extends Line {
  readonly settle: (error?: Error) => void;
}

export type Log = ReturnType<typeof createLog>;

export function createLog(place: Place, beginning: Beginning) {
  let isClosed = false;
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  const refused: JournalEntry[] = [];
  const { write, unsaved, close } = createLogFile(place, beginning);
  const flush = async (): Promise<void> => {
    // What is noted at the same moment goes together.
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
    unsaved: (): readonly JournalEntry[] => [...refused, ...unsaved()],
    /** Takes nothing more, and waits for what is being written. */
    close: async () => {
      isClosed = true;
      if (flushing !== undefined) await flushing;
      close();
    },
    /** Resolves once the entry is on the disk; nothing is taken after the end of the run. With `isTrue` it is kept although it could not be written. */
    add: (entry: JournalEntry, isTrue = false): Promise<void> => {
      if (isClosed) return Promise.reject(closed());
      const invalid = findInvalidValue(entry);
      if (invalid !== undefined) {
        // It will never be written, and the lines after it go on without it.
        if (isTrue) refused.push(entry);
        return Promise.reject(unexpected(place, invalid));
      }
      // The end is the last of a run: an answer that comes later is in nobody's run, and the next one looks for itself.
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

/** The file, and all of its text, so that it can be written anew when an append left it in an unknown state. */
function createLogFile({ path, files }: Place, { kept, found, first }: Beginning) {
  const invalid = findInvalidValue(first);
  if (invalid !== undefined) throw unexpected({ path }, invalid);
  let { text, checksum } = encodeJournal(kept);
  let isAnew = false;
  let unsaved: readonly JournalEntry[] = [];
  const follow = (lines: ReturnType<typeof encodeJournal>) => {
    text += lines.text;
    checksum = lines.checksum;
  };
  const begin = encodeJournal([first], checksum);
  // Also when there is no file yet: it then appears with its first line, and never without.
  if (text === found) files.appendDurable(path, begin.text);
  else files.writeAtomic(path, text + begin.text);
  follow(begin);
  const { append, close } = files.openAppender(path);
  return {
    unsaved: () => unsaved,
    close,
    /** Gives what went wrong, if anything did. */
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
