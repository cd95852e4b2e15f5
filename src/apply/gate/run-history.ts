// What one run has done to the service so far: what it created, what it deleted, and what it wrote to.
// Shared by every step of the run, by the write gate, and by what happens after the last step.

import type { LiveResource } from '../../resource/snapshot.ts';
import type { Step } from '../../plan/plan.ts';

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
  /** True when the answer was lost and the object was found by a marker that another run may have written, too. */
  readonly isFound?: boolean;
}

/** An object that this run wrote to. */
interface WrittenObject {
  readonly fields: ReadonlySet<string>;
  /** The object after each write; undefined when no answer showed it. A read that is behind may show any of them. */
  readonly left: readonly (LiveResource | undefined)[];
}

export interface RunHistory {
  /** Stands in the markers of what this run creates, so that it is told from what another run created; missing in no run of ours. */
  readonly runName: string | undefined;
  /** By id. */
  readonly created: Map<string, Creation>;
  /** Ids of objects that this run deleted, or saw gone when it was about to. */
  readonly deleted: Set<string>;
  /** Ids of objects that this run took its marker off. */
  readonly released: Set<string>;
  /** What this run created or updated, by id. */
  readonly written: Map<string, WrittenObject>;
  /** Addresses whose creation was sent more than once, because an answer was lost. */
  readonly repeated: Set<string>;
}

export function emptyHistory(signature?: string): RunHistory {
  return {
    runName: signature,
    created: new Map(),
    deleted: new Set(),
    released: new Set(),
    written: new Map(),
    repeated: new Set(),
  };
}

/** Notes the creation of a step's object. */
export function noteCreation(
  history: RunHistory,
  { kind, address }: Pick<Step, 'kind' | 'address'>,
  made: Pick<Creation, 'id' | 'parentId' | 'at' | 'stamp' | 'isFound'>,
): void {
  history.created.set(made.id, { ...made, kind, address });
  history.written.set(made.id, { fields: new Set(), left: [] });
}

/** Notes that these fields of an object were written, and what was left of it. */
export function noteWritten(
  { written }: RunHistory,
  id: string,
  fields: readonly string[],
  left: LiveResource | undefined,
): void {
  const before = written.get(id);
  written.set(id, { fields: new Set([...(before?.fields ?? []), ...fields]), left: [...(before?.left ?? []), left] });
}

/** Notes that an object is gone, and what was inside it with it. */
export function noteDeletion(history: RunHistory, id: string): void {
  history.deleted.add(id);
  for (const made of history.created.values()) if (made.parentId === id) history.deleted.add(made.id);
}

/** Why an object is a copy of what this run created: it names the run, which did not create it. */
export function whyCopied({ runName, created }: RunHistory, { id, marker }: LiveResource): string | undefined {
  const isNamed = runName !== undefined && marker?.created_by === runName;
  return isNamed && !created.has(id) ? 'has a copy of the marker of another object' : undefined;
}
