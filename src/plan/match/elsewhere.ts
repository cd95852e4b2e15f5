// Where the object of an address is by now, if a journal knows it and it still exists: at another address of the stack, or in another
// stack. Such an object is never created again (ADR-0078). Pure.

import { groupEntries } from '../../core/group.ts';
import { describeOwner, otherOwner, type Ownership, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { JournalView, KnownObject } from '../journal-view.ts';

/** An object that an address had. */
export interface ObjectElsewhere {
  readonly is: 'elsewhere';
  readonly id: string;
  readonly evidence: string;
  /** The stack and the address that it has by now; without an address when its marker cannot be read further. */
  readonly now: { readonly stack: string; readonly address: string | undefined };
}

interface ElsewhereInput {
  readonly stack: string;
  readonly snapshot: Snapshot;
  readonly ownership: Ownership;
  readonly journal: JournalView;
  /** Whether the manifest says what is to become of an object of the stack: a block has it, or `removed` lists it. */
  readonly isNamed: (live: LiveResource) => boolean;
}

/** Where the object is that one of these addresses had; undefined if it has none, or still has one of them. */
export type FindElsewhere = (addresses: readonly string[]) => ObjectElsewhere | undefined;

export function elsewhereIn({ stack, snapshot, ownership, journal, isNamed }: ElsewhereInput): FindElsewhere {
  const liveById = new Map(snapshot.resources.map((live) => [live.id, live]));
  const known = [...journal.objects].flatMap(([id, object]) => {
    const live = liveById.get(id);
    const now = live === undefined || isNamed(live) ? undefined : placeOf(ownership.of(live), object);
    return now === undefined ? [] : addressesHad(object).map((address) => [address, { id, now }] as const);
  });
  const found = groupEntries(known);
  return (addresses) => {
    const isStill = (now: ObjectElsewhere['now']) => now.stack === stack && addresses.includes(now.address ?? '');
    const moved = addresses.flatMap((address) => found.get(address) ?? []).find(({ now }) => !isStill(now));
    if (moved === undefined) return undefined;
    const { id, now } = moved;
    return {
      is: 'elsewhere',
      id,
      now,
      evidence: `the journal knows it as ${id}, which is ${placeName(now, stack)} now`,
    };
  };
}

/** The place of an object in words, without the name of the stack itself. */
export function placeName(now: ObjectElsewhere['now'], stack: string): string {
  return now.stack === stack && now.address !== undefined ? now.address : describeOwner(now);
}

/** What a stack deleted, it may create again; what it released, unless another stack has it. */
function placeOf(status: OwnershipStatus, { isGone, isReleased }: KnownObject): ObjectElsewhere['now'] | undefined {
  const other = otherOwner(status);
  if (other !== undefined) return isGone === true && isReleased !== true ? undefined : other;
  const isOwn = status.is === 'ours' || status.is === 'misplaced';
  return isOwn && isGone !== true ? status.marker : undefined;
}

function addressesHad({ address, formerly = [] }: KnownObject): string[] {
  return [address, ...formerly];
}
