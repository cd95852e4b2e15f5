// The durable record of writes, as types: everything that apply needs of a journal.

import type { ShownValues } from '../core/shown-values.ts';

interface WriteIntent {
  readonly address: string;
  readonly kind: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly live_id: string | null;
  readonly parentId: string | null;
  readonly replaces?: string;
  /** Names of the fields that a change sends or removes. */
  readonly fields?: readonly string[];
  readonly releases?: boolean;
  /** True for a deletion of what the stack never owned. */
  readonly foreign?: boolean;
}

/** How a write ended, as the journal records it. */
export type WriteOutcome =
  /** It was carried out. */
  | 'done'
  /** It was certainly not carried out. */
  | 'rejected'
  /** It may have been carried out. */
  | 'unknown';

export interface RecordedOutcome {
  readonly status: WriteOutcome;
  readonly live_id: string | null;
  /** What the service shows in place of values that were sent. */
  readonly untaken?: ShownValues;
}

/** Stores intents and outcomes; every call is durable when it resolves. A failure ends the step. */
export interface Recorder {
  /** Returns a number for the outcome. */
  readonly intent: (intent: WriteIntent) => Promise<number>;
  readonly outcome: (number: number, outcome: RecordedOutcome) => Promise<void>;
  /** A returned-once value was stored in its file. */
  readonly stored: (address: string, live_id: string) => Promise<void>;
}

/** Stores nothing. */
export const noRecord: Recorder = {
  intent: () => Promise.resolve(0),
  outcome: () => Promise.resolve(),
  stored: () => Promise.resolve(),
};
