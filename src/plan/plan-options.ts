// What the user allows a plan to do. Plain values; defaults live with the commands.

import type { Capability } from '../catalog/kind.ts';
import type { StoredValues } from './decide/returned-once.ts';
import type { JournalView } from './match/missing-objects.ts';

export interface PlanOptions {
  /** Plan the deletion of everything the stack owns. */
  readonly destroy: boolean;
  /** How many deletions and replacements are allowed; undefined means the default budget. */
  readonly allowDeletes: number | 'all' | undefined;
  /** Addresses of irreplaceable objects that may be replaced. */
  readonly allowReplace: readonly string[];
  /** Addresses to plan, with everything they refer to; empty means all. */
  readonly targets: readonly string[];
  readonly capabilities: ReadonlySet<Capability>;
  /** Returned-once values known to be stored; without it, nothing is known of any. */
  readonly stored?: StoredValues;
  /** What the journal knows; without it, a missing object may never have been created. */
  readonly journal?: JournalView;
}
