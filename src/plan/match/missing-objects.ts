// The past of addresses without a live object: a journal, a reference or a marker may prove that there was one. Never created,
// deleted by this stack and deleted outside are different cases (ADR-0015). Pure.

import { groupEntries } from '../../core/group.ts';
import { isList } from '../../core/json.ts';
import { Expression, isValueObject, type Value } from '../../core/value.ts';
import { ID } from '../../catalog/fields/common.ts';
import { isUnder, originsOf, type Origins } from '../../resource/marker/moves.ts';
import type { Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { DesiredResource, Manifest } from '../../manifest/manifest.ts';
import { presentIn, type JournalView } from '../journal-view.ts';
import { elsewhereIn, type FindElsewhere, type ObjectElsewhere } from './elsewhere.ts';
import type { Pair } from './match.ts';
import { namesObject } from './pin-problems.ts';

/**
 * `deleted`: an object existed, and this stack did not delete it; `elsewhere`: it exists, at another address or in another stack, and
 * is never created again; `none`: none existed, or this stack deleted it.
 */
type MissingStatus =
  | { readonly is: 'deleted' | 'unknown'; readonly id: string | null; readonly evidence: string }
  | ObjectElsewhere
  | { readonly is: 'none' };

/** By address, without those that have a live object. */
export type MissingByAddress = ReadonlyMap<string, MissingStatus>;

interface MissingInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly ownership: Ownership;
  /** The whole manifest, parents before children. */
  readonly pairs: readonly Pair[];
  /** Whether the manifest says what is to become of an object: a block has it, or it is listed under `removed`. */
  readonly isNamed: (live: LiveResource) => boolean;
  /** Undefined without a trustworthy journal. */
  readonly journal: JournalView | undefined;
}

/** The past of every address without a live object. */
export function explainMissing(remains: MissingInput): MissingByAddress {
  const lost = remains.pairs.filter((pair) => pair.live === undefined).map((pair) => pair.desired);
  if (lost.length === 0) return new Map();
  const search = searchIn(remains);
  const pasts = new Map<string, MissingStatus>();
  for (const desired of lost) {
    const above = pasts.get(desired.parent ?? '');
    // The children of an object that this stack deleted were deleted with it.
    pasts.set(desired.address, above?.is === 'none' ? above : explainMissingObject(desired, search));
  }
  return pasts;
}

const NO_JOURNAL: JournalView = { objects: new Map(), creating: new Set(), runs: new Set(), unfinished: new Set() };

interface Proof {
  readonly id: string;
  readonly holder: string;
}

interface MissingSearch {
  readonly journal: JournalView;
  readonly origins: Origins;
  /** Addresses in the manifest: none of them can be the old address of another. */
  readonly asked: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
  readonly journalled: ReadonlyMap<string, readonly string[]>;
  /** Addresses whose objects were all deleted by this stack. */
  readonly deletedAt: ReadonlySet<string>;
  readonly held: ReadonlyMap<string, Proof>;
  /** Id of a live object by the address in its marker, and by the addresses above it. */
  readonly marked: ReadonlyMap<string, string>;
  /** Kinds that cannot be listed. */
  readonly unread: ReadonlySet<string>;
  readonly elsewhere: FindElsewhere;
  /** True when the journal knows every object of the stack, or the stack has none: anything it does not mention never existed. */
  readonly isWhole: boolean;
}

function searchIn({
  manifest,
  snapshot,
  ownership,
  pairs,
  isNamed,
  journal = NO_JOURNAL,
}: MissingInput): MissingSearch {
  const present = new Set(snapshot.resources.map((live) => live.id));
  const owned = snapshot.resources.filter(ownership.isOurs);
  const journalled = groupEntries([...presentIn(journal)].map(([id, address]) => [address, id] as const));
  const deleted = [...journal.objects.values()].filter(({ isGone }) => isGone === true);
  return {
    journal,
    origins: originsOf(manifest.moved),
    asked: new Set(manifest.resources.map(({ address }) => address)),
    present,
    journalled,
    deletedAt: new Set(deleted.flatMap(({ address }) => (journalled.has(address) ? [] : address))),
    held: idsHeldFor(pairs, present),
    marked: addressesMarked(snapshot, ownership),
    unread: new Set(snapshot.unread.map(({ kind }) => kind)),
    elsewhere: elsewhereIn({ stack: manifest.stack, snapshot, ownership, journal, isNamed }),
    isWhole: owned.every(({ id }) => journal.objects.has(id)),
  };
}

function explainMissingObject(desired: DesiredResource, search: MissingSearch): MissingStatus {
  const { journal, origins, asked, present } = search;
  const addresses = [desired.address, ...origins(desired.address).filter((origin) => !asked.has(origin))];
  const proof = proofOf(desired, addresses, search);
  if (proof !== undefined) return { is: 'deleted', ...proof };
  const moved = search.elsewhere(addresses);
  if (moved !== undefined) return moved;
  const [witness] = addresses.flatMap((one) => search.marked.get(one) ?? []);
  if (witness !== undefined) return { is: 'deleted', id: null, evidence: `the marker of ${witness} names it` };
  const [there] = addresses.flatMap((address) => search.journalled.get(address) ?? []).filter((id) => present.has(id));
  if (there !== undefined)
    return { is: 'unknown', id: there, evidence: `the journal knows it as ${there}, whose marker no longer names it` };
  const pinned = desired.lifecycle.pin?.id;
  // The id may be a typo.
  if (pinned !== undefined && journal.objects.get(pinned)?.isGone !== true)
    return {
      is: 'unknown',
      id: pinned,
      evidence: `it ${namesObject(desired.lifecycle.pin, pinned)}, which does not exist`,
    };
  if (journal.creating.has(desired.address))
    return {
      is: 'unknown',
      id: null,
      evidence: `an apply may have created it, and its outcome is unknown${search.unread.has(desired.kind) ? '' : '; apply again'}`,
    };
  if (search.isWhole || isUnder(desired.address, search.deletedAt)) return { is: 'none' };
  return { is: 'unknown', id: null, evidence: UNPROVEN };
}

const UNPROVEN =
  'it is not known whether it was ever created; apply, or name the journal of this stack with --journal if there is one';

/** The proof that an object existed and that this stack did not delete it. */
function proofOf(
  { address }: DesiredResource,
  addresses: readonly string[],
  { journal, journalled, held, present }: MissingSearch,
): { readonly id: string; readonly evidence: string } | undefined {
  const isOwnWork = (id: string) => journal.objects.get(id)?.isGone === true;
  const isAnothers = (id: string) => !addresses.includes(journal.objects.get(id)?.address ?? address);
  const reference = held.get(address);
  if (reference !== undefined && !isOwnWork(reference.id) && !isAnothers(reference.id))
    return { id: reference.id, evidence: `${reference.holder} still refers to it` };
  const [known] = addresses.flatMap((one) => journalled.get(one) ?? []).filter((id) => !present.has(id));
  return known === undefined ? undefined : { id: known, evidence: `the journal knows it as ${known}` };
}

/**
 * Markers of the stack, even misplaced ones: a copied marker must have had an original. One in its place says that its object is there,
 * and proves only what is above it.
 */
function addressesMarked({ resources }: Snapshot, { of }: Ownership): Map<string, string> {
  const marked = new Map<string, string>();
  for (const live of resources) {
    const status = of(live);
    if (status.is !== 'ours' && status.is !== 'misplaced') continue;
    const segments = status.marker.address.split('.');
    const above = status.is === 'ours' ? segments.slice(0, -1) : segments;
    for (const [at] of above.entries()) marked.set(segments.slice(0, at + 1).join('.'), live.id);
  }
  return marked;
}

/** Dangling ids that live objects hold where the manifest refers to an address. */
function idsHeldFor(pairs: readonly Pair[], present: ReadonlySet<string>): ReadonlyMap<string, Proof> {
  const kinds = new Map(pairs.map(({ desired, kind }) => [desired.address, kind]));
  const found = new Map<string, Proof>();
  for (const { desired, live } of pairs) {
    if (live === undefined) continue;
    const holder = live.marker?.address ?? live.id;
    eachReference(desired.spec, live.spec, (address, ids) => {
      const prefix = kinds.get(address)?.idPrefix ?? address;
      const id = ids.find((one) => !present.has(one) && one.startsWith(prefix));
      if (id !== undefined) found.set(address, { id, holder });
    });
  }
  return found;
}

/** Visits the references of a desired value together with the live texts in their place. */
function eachReference(
  desired: Value,
  live: Value | undefined,
  visit: (address: string, texts: readonly string[]) => void,
): void {
  if (desired instanceof Expression) {
    const [only] = desired.references();
    if (desired.parts.length === 1 && only?.attr === ID) visit(only.address, textsOf(live));
  } else if (isList(desired)) {
    // A list may be returned in another order, so any of its ids may match.
    for (const item of desired) eachReference(item, live, visit);
  } else if (isValueObject(desired)) {
    const fields = isValueObject(live) ? live : {};
    for (const [name, value] of Object.entries(desired)) eachReference(value, fields[name], visit);
  }
}

function textsOf(value: Value | undefined): string[] {
  const items = value === undefined ? [] : isList(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}
