// What every decision of one plan needs to know. Built once, never changed.

import type { LiveResource } from '../live/snapshot.ts';
import type { PlanOptions } from './options.ts';
import type { KnownObjects } from './resolve.ts';

export interface PlanContext {
  readonly stack: string;
  readonly options: PlanOptions;
  /** Live objects by address that stay, for references. */
  readonly known: KnownObjects;
  /** All paired live objects by address, replaced ones too. */
  readonly pairedByAddress: ReadonlyMap<string, LiveResource>;
  /** Addresses whose object is replaced (or lost with a replaced parent). */
  readonly replaced: ReadonlySet<string>;
}
