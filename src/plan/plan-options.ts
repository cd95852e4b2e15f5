// What the user allows a plan to do, and the data that all its decisions share. Plain values; defaults live with the commands.

import type { Capability } from '../catalog/kind.ts';
import type { StoredValues } from './decide/returned-once.ts';
import type { LostTogether } from './account.ts';
import type { JournalView } from './journal-view.ts';
import type { MissingByAddress } from './match/missing-objects.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { MarkedAs } from '../resource/marker/transfers.ts';
import type { KnownObjects } from '../resource/resolve.ts';

/** An object that one stack of the run would delete, and another would create anew. */
export interface ForgottenTransfer {
  readonly id: string;
  readonly from: { readonly stack: string; readonly address: string };
  /** The stack and the address that would have it. */
  readonly into: string;
  readonly to: string;
  /** What both have in common. */
  readonly words: string;
  /** The entry that keeps the object, for a sentence. */
  readonly entry: string;
}

/** A stack that gives something up too late for the one that needs it: in a later wave, or where both wait for each other. */
export interface GivenUpLater {
  /** The names of the entries that give it up and that need it, and their waves; none where they wait for each other. */
  readonly from: string;
  readonly to: string;
  readonly waves?: readonly [from: number, to: number];
}

export interface PlanOptions {
  /** Plan the deletion of everything the stack owns. */
  readonly destroy: boolean;
  /** How many deletions and replacements are allowed; undefined means the default budget. */
  readonly allowDeletes: number | 'all' | undefined;
  /** Addresses of objects that may be deleted or replaced although what they have cannot be had again. */
  readonly allowLoss: readonly string[];
  /** Stacks that live on, and from which the plan may take what the manifest has. */
  readonly allowTakeover?: readonly string[];
  /** True when what lets more in needs consent: the built-in policy `openings`. */
  readonly refusesOpenings?: boolean;
  /** Addresses of what may let more in. */
  readonly allowOpening?: readonly string[];
  /** The name of the stack in its fleet, which a flag of a refusal has to name. */
  readonly entry?: string;
  /** True when objects that the journal knows, and of which the service has none, were deleted outside. */
  readonly recreate?: boolean;
  /** Addresses to plan, with everything they refer to; empty means all. */
  readonly targets: readonly string[];
  readonly capabilities: ReadonlySet<Capability>;
  /** Returned-once values known to be stored; without it, nothing is known of any. */
  readonly stored?: StoredValues;
  /** What the journal knows; without it, a missing object may never have been created. */
  readonly journal?: JournalView;
  /** Addresses (`imports.NAME`) whose object another stack is about to create: their values are known after apply. */
  readonly pendingImports?: ReadonlySet<string>;
  /** Unique values that other stacks give up in the same run, before this plan is applied, with those stacks. */
  readonly releasedElsewhere?: ReadonlyMap<string, string>;
  /** By unique value or id, what another stack of the same run gives up or releases too late. */
  readonly givenUpLater?: ReadonlyMap<string, GivenUpLater>;
  /** Moves from or to this stack that seem to have been forgotten. */
  readonly forgottenTransfers?: readonly ForgottenTransfer[];
  /** Objects of this stack that other stacks of the same run take, by id, with the stack and address that they get. */
  readonly transferredElsewhere?: ReadonlyMap<string, MarkedAs>;
  /** Objects that other stacks of the same run take from the stacks of which this one takes everything. */
  readonly takenBesides?: ReadonlySet<string>;
  /** The stacks that the fleet has at this service: no other one of them is this one under an old name. */
  readonly siblings?: ReadonlySet<string>;
  /** Who judges what at this service; without it, this stack judges everything. */
  readonly liveJudges?: LiveJudges;
  /** What the journals of the fleet, or those beside the own one, know at this service, while it has none of it. */
  readonly lostTogether?: LostTogether;
  /** By address or id, the importers of objects that must stay for them, in words. */
  readonly importedBy?: ReadonlyMap<string, string>;
}

/** Which stack of a run judges a live object at their service by the policies of the user. */
export interface LiveJudges {
  /** The stack by the owner: itself, or the one that takes the owner's objects. */
  readonly byOwner: ReadonlyMap<string, string>;
  /** The stack by the id that a block of it names. */
  readonly byId: ReadonlyMap<string, string>;
  /** The one that judges all the rest. */
  readonly rest: string | undefined;
}

/** Data shared by all decisions of one plan. Built once, never changed. */
export interface PlanContext {
  readonly stack: string;
  readonly options: PlanOptions;
  /** Live objects by address that are kept, for references. */
  readonly known: KnownObjects;
  /** The stack that `moved` brings a live object from. */
  readonly transferredFrom: (live: LiveResource) => string | undefined;
  /** Addresses whose object is replaced (or lost with a replaced parent). */
  readonly replaced: ReadonlySet<string>;
  readonly deletedIds: ReadonlySet<string>;
  /** Ids of all live objects. */
  readonly present: ReadonlySet<string>;
  /** Live objects by the id of their parent. */
  readonly children: ReadonlyMap<string, readonly LiveResource[]>;
  /** The past of addresses without a live object. */
  readonly missing: MissingByAddress;
}
