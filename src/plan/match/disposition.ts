// What becomes of each live object. Every object has exactly one disposition; the planner makes steps of it, and policies, notices,
// drift and fleets read it. The gate before each write does not: it judges by what it reads itself.
//
// Example: the manifest has the blocks `tls_edges.web` and `tls_edges.db`, and `removed: [{ from: tls_edges.old, destroy: false }]`.
//
//   edgtls_1, marked as tls_edges.web of the stack              kept, as tls_edges.web
//   edgtls_2 and edgtls_3, both marked as tls_edges.db          contested: a person has to say which one is right
//   edgtls_4, marked as tls_edges.old of the stack              released
//   edgtls_5, marked as tls_edges.gone of the stack             orphan: it is deleted
//   edgtls_6, whose marker names the stack and is damaged       unclear: it is left alone, and stops apply
//   edgtls_7, of another stack, or without a marker             left

import type { Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';

export type Disposition =
  /** A block has it: it stays as it is, is changed, or comes to the stack. */
  | { readonly is: 'kept'; readonly address: string }
  /** A block asks for it, and it is not clear that it is the right one. */
  | { readonly is: 'contested'; readonly address: string }
  /** The stack's, and no block asks for it: it is deleted, or it goes with what it is in. */
  | {
      readonly is: 'orphan';
      /** `removed` lists it with `destroy: true`. */
      readonly isListed: boolean;
      /** The address of which it is a redundant duplicate that a run of ours left behind; undefined for others. */
      readonly duplicateOf: string | undefined;
    }
  /** The stack's, and `removed` lists it with `destroy: false`. */
  | { readonly is: 'released' }
  /** It may be the stack's: its marker cannot be read and names the stack, or a journal knows it; at this address, if it does. */
  | { readonly is: 'unclear'; readonly address: string | null }
  /** Its marker cannot be read, and nothing says that it is the stack's. */
  | { readonly is: 'unreadable' }
  /** Another stack's, or no stack's. */
  | { readonly is: 'left' };

/** What is known of the objects once every block has been matched. */
export interface DispositionFacts {
  readonly ownership: Ownership;
  /** Addresses of the blocks that asked for an object, by its id. */
  readonly takenBy: ReadonlyMap<string, string>;
  /** Ids of the objects that blocks have. */
  readonly paired: ReadonlySet<string>;
  /** Addresses by the ids of redundant duplicates. */
  readonly redundant: ReadonlyMap<string, string>;
  readonly isReleased: (live: LiveResource) => boolean;
  readonly isListed: (live: LiveResource) => boolean;
  /** The address of an object with an unclear owner that may be the stack's; undefined for one of which nothing says so. */
  readonly unclearAs: (live: LiveResource) => string | null | undefined;
}

/** A live object, and what becomes of it. */
export type DisposedObject = Disposition & { readonly live: LiveResource };

/** Every object of the live state, by id. */
export type Dispositions = ReadonlyMap<string, DisposedObject>;

export function dispositionsOf(objects: readonly LiveResource[], facts: DispositionFacts): Dispositions {
  return new Map(objects.map((live) => [live.id, { live, ...dispositionOf(live, facts) }]));
}

/** The objects with one of these dispositions, in the order of the live state. */
export function disposedAs<Is extends Disposition['is']>(
  dispositions: Dispositions,
  ...wanted: readonly Is[]
): (DisposedObject & { readonly is: Is })[] {
  const isWanted = (one: DisposedObject): one is DisposedObject & { readonly is: Is } =>
    wanted.some((is) => is === one.is);
  return [...dispositions.values()].filter(isWanted);
}

/** Whether `removed` lists an object that no block asks for with `destroy: true`. */
export function isListedRemoval(dispositions: Dispositions, { id }: Pick<LiveResource, 'id'>): boolean {
  const found = dispositions.get(id);
  return found?.is === 'orphan' && found.isListed;
}

/** Addresses by the ids of redundant duplicates; an address may be one that its object was moved from. */
export function redundantAddresses(dispositions: Dispositions): ReadonlyMap<string, string> {
  const orphans = disposedAs(dispositions, 'orphan');
  return new Map(
    orphans.flatMap(({ live, duplicateOf }) => (duplicateOf === undefined ? [] : [[live.id, duplicateOf]])),
  );
}

function dispositionOf(live: LiveResource, facts: DispositionFacts): Disposition {
  const address = facts.takenBy.get(live.id);
  if (address !== undefined) return { is: facts.paired.has(live.id) ? 'kept' : 'contested', address };
  switch (facts.ownership.of(live).is) {
    case 'ours':
      return facts.isReleased(live) ? { is: 'released' } : orphan(live, facts);
    case 'unclear': {
      const unclear = facts.unclearAs(live);
      return unclear === undefined ? { is: 'unreadable' } : { is: 'unclear', address: unclear };
    }
    default:
      return { is: 'left' };
  }
}

function orphan(live: LiveResource, { isListed, redundant }: DispositionFacts): Disposition {
  return { is: 'orphan', isListed: isListed(live), duplicateOf: redundant.get(live.id) };
}
