// What one run has done to the service so far: what it created, what it deleted, and what it wrote to.
// Shared by every step of the run, by the write gate, and by what happens after the last step.

import type { Step } from '../plan/plan.ts';

/** An object that this run created by POST. */
export interface Creation {
  readonly id: string;
  readonly kind: string;
  readonly address: string;
  readonly parentId: string | undefined;
  /** The clock's milliseconds when the answer was there. */
  readonly at: number;
  /** When the service says that it was created, RFC 3339; undefined when the answer did not say. */
  readonly stamp?: string | undefined;
  /** True when the answer was lost and the object was found by its marker, which another run may have written, too. */
  readonly isFound?: boolean;
}

export interface History {
  /** By id. */
  readonly created: Map<string, Creation>;
  /** Ids of objects that this run deleted, or saw gone when it was about to. */
  readonly deleted: Set<string>;
  /** Ids of objects that this run created or updated. */
  readonly written: Set<string>;
}

export function emptyHistory(): History {
  return { created: new Map(), deleted: new Set(), written: new Set() };
}

/** Notes the creation of a step's object. */
export function noteCreation(
  history: History,
  { kind, address }: Pick<Step, 'kind' | 'address'>,
  made: Pick<Creation, 'id' | 'parentId' | 'at' | 'stamp' | 'isFound'>,
): void {
  history.created.set(made.id, { ...made, kind, address });
  history.written.add(made.id);
}
