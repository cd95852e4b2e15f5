// What one run has done to the service so far: what it created, deleted and wrote to. Shared by all steps of the run, by the
// write gate, and by the stages after the last step.

import { afterWrite, type ShownValues } from '../../core/shown-values.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Step } from '../../plan/plan.ts';

/** An object that this run created by POST. */
interface Creation {
  readonly id: string;
  readonly kind: string;
  readonly address: string;
  readonly parentId: string | undefined;
  /** Clock time of the answer in milliseconds. */
  readonly at: number;
  /** Creation time by the service, RFC 3339; undefined if the answer did not contain it. */
  readonly stamp?: string | undefined;
}

interface WrittenObject {
  readonly fields: ReadonlySet<string>;
  /** The object after each write; undefined if no answer showed it. A lagging read may show any of them. */
  readonly left: readonly (LiveResource | undefined)[];
}

export interface RunHistory {
  /** Stored in the markers of new objects, to tell them from those of other runs; all of our runs have one. */
  readonly runName: string | undefined;
  /** Stored in every marker that the run writes. */
  readonly commit: string | undefined;
  /** By id. */
  readonly created: Map<string, Creation>;
  /** The addresses of objects that this run deleted, or found missing when it was about to, by id. */
  readonly deleted: Map<string, string>;
  /** Ids of objects from which this run removed its marker. */
  readonly released: Set<string>;
  /** What this run created or updated, by id. */
  readonly written: Map<string, WrittenObject>;
  /** By id, what the service showed in place of values that this run sent, and the address of the object. */
  readonly untaken: Map<string, { readonly address: string; readonly values: ShownValues }>;
  /** Addresses whose creation was sent more than once because an answer was lost. */
  readonly repeated: Set<string>;
}

export function emptyHistory(runName?: string, commit?: string): RunHistory {
  return {
    runName,
    commit,
    created: new Map(),
    deleted: new Map(),
    released: new Set(),
    written: new Map(),
    untaken: new Map(),
    repeated: new Set(),
  };
}

/** Records the creation of a step's object. */
export function noteCreation(
  history: RunHistory,
  { kind, address }: Pick<Step, 'kind' | 'address'>,
  made: Pick<Creation, 'id' | 'parentId' | 'at' | 'stamp'>,
): void {
  history.created.set(made.id, { ...made, kind, address });
  history.written.set(made.id, { fields: new Set(), left: [] });
}

/** Records a write to these fields of an object, and the object after it. */
export function noteWritten(
  { written }: RunHistory,
  id: string,
  fields: readonly string[],
  left: LiveResource | undefined,
): void {
  const before = written.get(id);
  written.set(id, { fields: new Set([...(before?.fields ?? []), ...fields]), left: [...(before?.left ?? []), left] });
}

interface AnsweredWrite {
  /** Names of the fields that it sent. */
  readonly sent: readonly string[];
  readonly untaken: ShownValues;
}

/** Records what the service showed in place of the values of a write. */
export function noteUntaken(
  { untaken: known }: RunHistory,
  { id, address }: { readonly id: string; readonly address: string },
  { sent, untaken }: AnsweredWrite,
): void {
  const before = known.get(id)?.values;
  if (before === undefined && untaken.size === 0) return;
  known.set(id, { address, values: afterWrite(before, { sent: new Set(sent), shown: untaken }) });
}

/** Records that a step's object no longer exists, and neither does what goes with it: its children in the plan, and later ones. */
export function noteDeletion(
  { deleted, created }: RunHistory,
  { address, deletes = [] }: Pick<Step, 'address' | 'deletes'>,
  id: string,
): void {
  deleted.set(id, address);
  for (const inside of deletes) deleted.set(inside.live_id, inside.address);
  for (const made of created.values()) if (made.parentId === id) deleted.set(made.id, made.address);
}
