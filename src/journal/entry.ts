// The entries of a journal and their encoding. No entry contains a request body, a secret or text from the service.

import { shortDigest } from '../core/digest.ts';

export const JOURNAL_VERSION = 2;

export interface BeginEntry {
  readonly type: 'begin';
  readonly v: typeof JOURNAL_VERSION;
  /** Random for every run. */
  readonly run: string;
  readonly stack: string;
  readonly service: string;
  /** Wall time, ISO 8601 in UTC. */
  readonly at: string;
  /** The account that the run's lines are about; 1 when absent. A run that finds itself in another one begins once more. */
  readonly account?: number;
}

/** A write is about to be sent. */
export interface IntentEntry {
  readonly type: 'intent';
  /** Ascending within the run. */
  readonly n: number;
  readonly run: string;
  readonly address: string;
  readonly kind: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The object written to; null for a creation. */
  readonly live_id: string | null;
  readonly parent_id: string | null;
  readonly at: string;
  readonly replaces?: string;
  /** Names of the fields that a change sends or removes, with blanks between them. */
  readonly fields?: string;
  /** The write removes the marker: after it, the object no longer belongs to the stack. */
  readonly releases?: true;
  /** A deletion of what the stack never owned: a foreign child of an exclusive parent. */
  readonly foreign?: true;
}

/** The outcome of a write. After `unknown`, a second outcome may follow. */
export interface OutcomeEntry {
  readonly type: 'outcome';
  readonly n: number;
  /** `done`: the service accepted it; `rejected`: it certainly did nothing; `unknown`: the answer was lost. */
  readonly status: 'done' | 'rejected' | 'unknown';
  readonly live_id?: string;
  /** Fields that the answer shows with another value than was sent, as in `ObjectAtEnd` (ADR-0088). */
  readonly untaken?: string;
}

/** A returned-once value was stored in its file. */
interface StoredEntry {
  readonly type: 'stored';
  readonly address: string;
  readonly live_id: string;
}

/** A person's answer for the open writes of an address: the object with this id exists, or none does. */
export interface ResolvedEntry {
  readonly type: 'resolved';
  readonly address: string;
  readonly as: { readonly id: string } | 'absent';
}

/** An object as it was at the end of a run. */
export interface ObjectAtEnd {
  readonly id: string;
  readonly address: string;
  readonly parent_id?: string;
  /** A run with this journal created it. */
  readonly created_here?: true;
  /** Its returned-once value was stored in its file. */
  readonly token_stored?: true;
  /** Addresses that it had before. */
  readonly formerly?: readonly string[];
  /** The stack gave it up, and did not delete it. */
  readonly released?: true;
  /**
   * Fields whose values the service did not take, each as `FIELD=SHOWN`, with blanks between them. `SHOWN` has digests of the value
   * that was sent and of the one that was shown; salted, and slow where they hold secrets.
   */
  readonly untaken?: string;
  /** `leaving`: its deletion or release was started and is not proven; `gone`: it is proven since the last such end. */
  readonly is?: 'leaving' | 'gone';
}

/** The run ended, whatever the result. */
export interface EndEntry {
  readonly type: 'end';
  readonly run: string;
  readonly result: string;
  /**
   * After a run that saw the whole stack and left nothing to do: all of its objects. This replaces everything recorded before;
   * creations with an unknown outcome were looked for, and are forgotten.
   */
  readonly objects?: readonly ObjectAtEnd[];
}

export type JournalEntry = BeginEntry | IntentEntry | OutcomeEntry | StoredEntry | ResolvedEntry | EndEntry;

type WriteOperation = 'create' | 'update' | 'delete' | 'release';

/** What a write does to its object. Deleting a part of an object, such as a module, updates the object. */
export function operationOf({ method, path, live_id, releases }: IntentEntry): WriteOperation {
  if (live_id === null) return 'create';
  if (releases === true) return 'release';
  return method === 'DELETE' && path.endsWith(`/${live_id}`) ? 'delete' : 'update';
}

export function checksumOf(rest: string, before: string): string {
  return shortDigest(`${before}\n${rest}`);
}

export interface JournalLines {
  readonly text: string;
  /** That of the last line. */
  readonly checksum: string;
}

/**
 * The lines of entries after the checksum `before`, and the checksum of the last line. Each checksum covers the previous line,
 * so that a missing or moved line is noticed.
 */
export function encodeJournal(entries: readonly JournalEntry[], before = ''): JournalLines {
  let last = before;
  const lines = entries.map((entry) => {
    const rest = JSON.stringify(entry).slice(1);
    last = checksumOf(rest, last);
    return `{"c":"${last}",${rest}\n`;
  });
  return { text: lines.join(''), checksum: last };
}
