// Entries of `moved` that move nothing: their old address has no object, and neither has the new one, or there is no block for the
// new one while an object has the old one. Either is probably a typo. One whose work is done says nothing, for ever, whatever became
// of its new address later. Pure.

import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { parseAddress } from '../../catalog/address.ts';
import { originsOf } from '../../resource/marker/moves.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { MarkedAs } from '../../resource/marker/transfers.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import { disposedAs } from '../match/disposition.ts';
import type { Match } from '../match/match.ts';
import type { JournalView } from '../journal-view.ts';
import type { MissingByAddress } from '../match/missing-objects.ts';

interface Surroundings {
  readonly matched: Match;
  readonly missing: MissingByAddress;
  readonly journal: JournalView | undefined;
}

/** A warning for each entry that should have moved something. */
export function unmatchedMoves(manifest: Manifest, surroundings: Surroundings): Diagnostic[] {
  if (manifest.moved.length + manifest.transfers.length === 0) return [];
  const { snapshot, ownership } = surroundings.matched;
  const own = snapshot.resources.flatMap((live) => (ownership.isOurs(live) ? (live.marker?.address ?? []) : []));
  const owned = new Set(own);
  const noted = new Set([...(surroundings.journal?.objects.values() ?? [])].map(({ address }) => address));
  const search: Search = {
    own,
    isTarget: targetsOf(manifest),
    neverWas: neverThere(surroundings, noted),
    wasHere: (address) => owned.has(address) || noted.has(address),
    marks: lazy(() => marksIn(snapshot)),
  };
  return [
    ...unmatchedRenames(manifest, search),
    ...unmatchedTransfers(manifest, search),
    ...renamesToNowhere(manifest, surroundings.matched, search),
    ...transfersToNowhere(manifest, search),
  ];
}

interface Search {
  /** Addresses of what the stack owns. */
  readonly own: readonly string[];
  /** True for an address that a block has, or that other entries lead on from. */
  readonly isTarget: (address: string) => boolean;
  /** True for an address at which the stack has an object, or had one by its journal. */
  readonly wasHere: (address: string) => boolean;
  /** True for an address of a block without an object that nothing shows ever had one. */
  readonly neverWas: (address: string) => boolean;
  /** Of every object of every stack; slow in a large fleet. */
  readonly marks: () => readonly MarkedAs[];
}

function unmatchedRenames({ moved, resources }: Manifest, { own, neverWas }: Search): Diagnostic[] {
  const asked = new Set(resources.map(({ address }) => address));
  const left = own.filter((address) => !asked.has(address));
  const unused = moved.filter(({ to }) => own.length > 0 && neverWas(to));
  return unused.map(({ from, to, range }) => {
    const message = `the stack owns no ${from}, which \`moved\` renames to ${to}: nothing is renamed, and ${to} would be created`;
    return unmatched({ message, to, range }, didYouMean(from, ofKindOf(from, left)));
  });
}

/** At a service without objects, there is nothing that an entry could mean: it is a new environment. */
function unmatchedTransfers({ transfers, stack: own }: Manifest, search: Search): Diagnostic[] {
  return transfers.flatMap(({ stack, ends, range }): Diagnostic[] => {
    const mayBeWrong = ends === undefined ? search.own.length === 0 : search.neverWas(ends.to);
    if (!mayBeWrong || search.marks().length === 0) return [];
    const theirs = search.marks().flatMap((mark) => (mark.stack === stack ? mark.address : []));
    if (ends === undefined && theirs.length > 0) return [];
    const others = new Set(search.marks().flatMap((mark) => (mark.stack === own ? [] : mark.stack)));
    const isOfStack = theirs.length > 0;
    const near = isOfStack ? didYouMean(ends?.from ?? '', theirs) : didYouMean(stack, others);
    const what = isOfStack
      ? `stack ${stack} has no ${ends?.from ?? ''}`
      : `no object carries the marker of stack ${stack}`;
    const target = ends === undefined ? 'from which `moved` takes everything' : `which \`moved\` brings to ${ends.to}`;
    const message = `${what}, ${target}: nothing is moved, and what is missing would be created`;
    return [unmatched({ message, to: ends?.to, range }, near)];
  });
}

function targetsOf({ resources, moved, removed }: Manifest): Search['isTarget'] {
  const targets = new Set([
    ...resources.map(({ address }) => address),
    ...[...moved, ...removed].map(({ from }) => from),
  ]);
  return (address) => targets.has(address);
}

/** An object that a rename is about, and that would be deleted because no block has its new address. */
function renamesToNowhere({ moved, resources }: Manifest, { dispositions }: Match, { isTarget }: Search): Diagnostic[] {
  const origins = originsOf(moved);
  const orphans = disposedAs(dispositions, 'orphan');
  const orphanByAddress = new Map(orphans.map(({ live }) => [live.marker?.address ?? '', live]));
  return moved.flatMap(({ to, range }): Diagnostic[] => {
    if (isTarget(to)) return [];
    const lost = origins(to).flatMap((origin) => orphanByAddress.get(origin) ?? [])[0];
    if (lost === undefined) return [];
    const message = `\`moved\` renames ${lost.marker?.address ?? ''} (${lost.id}) to ${to}, and no resource has that address: the object would be deleted`;
    const otherwise = 'use the address of a resource in the manifest, or remove the entry to delete the object';
    return [toNowhere({ message, to, range }, resources, otherwise)];
  });
}

/** An object of another stack that an entry is about, while nothing came of the entry yet. */
function transfersToNowhere({ transfers, resources }: Manifest, search: Search): Diagnostic[] {
  return transfers.flatMap(({ stack, ends, range }): Diagnostic[] => {
    if (ends === undefined || search.isTarget(ends.to) || search.wasHere(ends.to)) return [];
    const { from, to } = ends;
    if (!search.marks().some((mark) => mark.stack === stack && mark.address === from)) return [];
    const message = `\`moved\` brings ${from} of stack ${stack} to ${to}, and no resource has that address: the object stays where it is`;
    const otherwise = 'use the address of a resource in the manifest, or remove the entry to leave the object there';
    return [toNowhere({ message, to, range }, resources, otherwise)];
  });
}

function toNowhere(
  { message, to, range }: Unmatched & { readonly to: string },
  resources: Manifest['resources'],
  otherwise: string,
): Diagnostic {
  const addresses = resources.map(({ address }) => address);
  const near = didYouMean(to, ofKindOf(to, addresses));
  return { code: 'bad-move', severity: 'error', address: to, message, range, fix: near ?? otherwise };
}

interface Unmatched {
  readonly message: string;
  readonly to: string | undefined;
  readonly range: SourceRange;
}

function unmatched({ message, to, range }: Unmatched, near: string | undefined): Diagnostic {
  const fix = near ?? 'correct the entry, or remove it if the object is new';
  const about = to === undefined ? {} : { address: to };
  return { code: 'move-matches-nothing', severity: 'warning', ...about, message, range, fix };
}

/** `noted` are the addresses that the journal knows. */
function neverThere({ matched, missing }: Surroundings, noted: ReadonlySet<string>): Search['neverWas'] {
  const pairs = new Map(matched.pairs.map((pair) => [pair.desired.address, pair]));
  return (address) => {
    const pair = pairs.get(address);
    if (pair === undefined || pair.live !== undefined) return false;
    return missing.get(address)?.is !== 'deleted' && !noted.has(address);
  };
}

function marksIn({ resources, whole }: Snapshot): MarkedAs[] {
  const objects = whole === undefined ? resources : [...whole.byId.values()];
  return objects.flatMap(({ marker }) => marker ?? []);
}

function ofKindOf(address: string, addresses: readonly string[]): readonly string[] {
  const kind = parseAddress(address)?.kind;
  return addresses.filter((other) => parseAddress(other)?.kind === kind);
}
