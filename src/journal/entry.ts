// What a journal holds, entry by entry, and the line of each. No entry has a body, a secret or words of the service.

import { keyedDigest, shortDigest } from '../core/digest.ts';
import { canonicalJson, type Json } from '../core/json.ts';

export const JOURNAL_VERSION = 1;

/** A run begins. */
export interface BeginEntry {
  readonly type: 'begin';
  readonly v: typeof JOURNAL_VERSION;
  /** Random, new for every run; also the key of the run's body digests. */
  readonly run: string;
  readonly stack: string;
  readonly service: string;
  /** Of the plan. */
  readonly fingerprint: string;
  /** Wall time, ISO 8601 in UTC. */
  readonly at: string;
}

/** A write is about to be sent. */
export interface IntentEntry {
  readonly type: 'intent';
  /** Ascending within the run. */
  readonly n: number;
  readonly run: string;
  readonly step: string;
  readonly address: string;
  readonly kind: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The object that is written; null for a creation. */
  readonly live_id: string | null;
  readonly parent_id: string | null;
  readonly body_digest: string | null;
  readonly at: string;
  /** The object whose place a new one takes. */
  readonly replaces?: string;
  /** The marker is taken off: from then on the object is not the stack's. */
  readonly releases?: true;
}

/** What became of a write. After `unknown` there may be a second outcome. */
export interface OutcomeEntry {
  readonly type: 'outcome';
  readonly n: number;
  /** `done`: the service accepted it; `rejected`: it certainly did nothing; `unknown`: the answer was lost. */
  readonly status: 'done' | 'rejected' | 'unknown';
  /** The object that the answer named. */
  readonly live_id?: string;
}

/** A value that the service shows once has reached its file. */
interface StoredEntry {
  readonly type: 'stored';
  readonly address: string;
  readonly live_id: string;
}

/** What open writes of an address came to: the object of this id is there, or nothing is. */
export interface ResolvedEntry {
  readonly type: 'resolved';
  readonly address: string;
  readonly as: { readonly id: string } | 'absent';
  /** The object that it lies in, where a write that is no longer in the journal said so. */
  readonly parent_id?: string;
}

/** The run came to its end, whatever the result. */
export interface EndEntry {
  readonly type: 'end';
  readonly run: string;
  readonly result: string;
  /** Objects that earlier runs knew, or had begun to delete or release, and that are not there, or not the stack's any more. */
  readonly gone?: readonly string[];
  /** Those that were not there when they were read one by one, because their kind cannot be listed. One answer proves nothing. */
  readonly unseen?: readonly string[];
  /** The run was about targets, and says nothing of other objects. */
  readonly partial?: true;
}

/** Every word that an entry has in a place where other entries have another. */
export const JOURNAL_KEYWORDS: readonly string[] = [
  ...(['begin', 'intent', 'outcome', 'stored', 'resolved', 'end'] satisfies JournalEntry['type'][]),
  ...(['done', 'rejected', 'unknown'] satisfies OutcomeEntry['status'][]),
  ...(['POST', 'PATCH', 'DELETE'] satisfies IntentEntry['method'][]),
  'absent',
];

export type JournalEntry = BeginEntry | IntentEntry | OutcomeEntry | StoredEntry | ResolvedEntry | EndEntry;

type WriteOperation = 'create' | 'update' | 'delete' | 'release';

/** What a write does to its object. Deleting something below an object, such as a module, updates the object. */
export function operationOf({ method, path, live_id, releases }: IntentEntry): WriteOperation {
  if (live_id === null) return 'create';
  if (releases === true) return 'release';
  return method === 'DELETE' && path.endsWith(`/${live_id}`) ? 'delete' : 'update';
}

/** True when the object is not the stack's afterwards. */
export function isRemovalIntent(intent: IntentEntry): boolean {
  const operation = operationOf(intent);
  return operation === 'delete' || operation === 'release';
}

/** A body by a digest that says nothing to those who do not know the run; meant for bodies with placeholders. */
export function bodyDigest(body: Json, run: string): string {
  return keyedDigest(canonicalJson(body), run);
}

export function checksumOf(rest: string, before: string): string {
  return shortDigest(`${before}\n${rest}`);
}

/**
 * The lines of entries that follow the checksum `before`, and the checksum of the last, which the next line continues: each
 * covers the one before it, so that a line that is missing or moved is noticed.
 */
export function encodeJournal(entries: readonly JournalEntry[], before = '') {
  let last = before;
  const lines = entries.map((entry) => {
    const rest = JSON.stringify(entry).slice(1);
    last = checksumOf(rest, last);
    return `{"c":"${last}",${rest}\n`;
  });
  return { text: lines.join(''), checksum: last };
}
