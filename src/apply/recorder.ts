// The durable record of what is about to be sent, as types: all that applying a plan needs of a journal.

import type { Json } from '../core/json.ts';

/** One write that is about to be sent. */
interface WriteIntent {
  readonly step: string;
  readonly address: string;
  readonly kind: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly liveId: string | null;
  readonly parentId: string | null;
  /** As the plan has it, with placeholders for secrets. */
  readonly body: Json;
  /** The object whose place a new one takes. */
  readonly replaces?: string;
  /** The marker is taken off. */
  readonly releases?: boolean;
}

/** How a write ended: `rejected` is provably not done, `unknown` may have been done. */
export type WriteOutcome = 'done' | 'rejected' | 'unknown';

/** Keeps what was intended and what came of it; every call is durable when it resolves. A failure ends the step. */
export interface Recorder {
  /** A number for the outcome. */
  readonly intent: (intent: WriteIntent) => Promise<number>;
  readonly outcome: (number: number, status: WriteOutcome, liveId: string | null) => Promise<void>;
  /** A value that is shown once has reached its file. */
  readonly stored: (address: string, liveId: string) => Promise<void>;
}

/** Keeps nothing. */
export const noRecord: Recorder = {
  intent: () => Promise.resolve(0),
  outcome: () => Promise.resolve(),
  stored: () => Promise.resolve(),
};
