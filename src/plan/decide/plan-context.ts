// Data shared by all decisions of one plan. Built once, never changed.

import type { LiveResource } from '../../resource/snapshot.ts';
import type { PlanOptions } from '../plan-options.ts';
import type { MissingByAddress } from '../match/missing-objects.ts';
import type { KnownObjects } from '../../resource/resolve.ts';

export interface PlanContext {
  readonly stack: string;
  readonly options: PlanOptions;
  /** Live objects by address that are kept, for references. */
  readonly known: KnownObjects;
  /** Addresses whose object is replaced (or lost with a replaced parent). */
  readonly replaced: ReadonlySet<string>;
  /** Ids of the objects that the plan deletes. */
  readonly deletedIds: ReadonlySet<string>;
  /** Ids of all live objects. */
  readonly present: ReadonlySet<string>;
  /** Live objects by the id of their parent. */
  readonly children: ReadonlyMap<string, readonly LiveResource[]>;
  /** The past of addresses without a live object. */
  readonly missing: MissingByAddress;
}
